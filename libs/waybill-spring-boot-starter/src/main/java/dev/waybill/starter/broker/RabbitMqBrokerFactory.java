package dev.waybill.starter.broker;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.message.LogText;
import dev.waybill.rabbitmq.RabbitMqSubscriptions;
import dev.waybill.rabbitmq.RabbitMqTopology;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.rabbitmq.TopologyDeclarer;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.WaybillProperties.Broker;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * RabbitMQ's transport and subscriptions. Before either starts, everything is declared that the application wants to be there;
 * a broker that is away then gets it with the first connection.
 */
final class RabbitMqBrokerFactory implements BrokerFactory, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqBrokerFactory.class);

    /** A start-up waits no longer for a broker that does not answer. */
    private static final int CONNECT_MILLIS = 5_000;

    private final WaybillProperties.RabbitMq settings;
    private final Supplier<RabbitMqEndpoint> endpoints;
    private @Nullable RabbitMqEndpoint endpoint;
    private @Nullable RabbitMqTopology topology;
    private boolean declared;
    private volatile boolean running;

    RabbitMqBrokerFactory(WaybillProperties.RabbitMq settings, Supplier<RabbitMqEndpoint> endpoints) {
        this.settings = settings;
        this.endpoints = endpoints;
    }

    @Override
    public Broker broker() {
        return Broker.RABBITMQ;
    }

    @Override
    public Transport transport() {
        RabbitMqEndpoint known = endpoint();
        return RabbitMqTransport.builder(known.factory())
                .addresses(known.addresses())
                .sendTimeout(settings.sendTimeout())
                .maxMessageSize(settings.maxMessageSize())
                .topology(declarer(known))
                .build();
    }

    /** Made for the first listener, when every bean is there. */
    @Override
    public Subscriptions subscriptions() {
        RabbitMqEndpoint known = endpoint();
        declare(known);
        RabbitMqSubscriptions.Builder subscriptions = RabbitMqSubscriptions.builder(known.factory())
                .addresses(known.addresses())
                .confirmTimeout(settings.sendTimeout())
                .topology(declarer(known));
        RabbitMqDeadLetterRoutes.of(settings).forEach(subscriptions::deadLetters);
        RabbitMqDeadLetterRoutes.ofTheRest(settings).ifPresent(subscriptions::deadLetters);
        return subscriptions.build();
    }

    String virtualHost() {
        return endpoint().factory().getVirtualHost();
    }

    private synchronized RabbitMqEndpoint endpoint() {
        RabbitMqEndpoint known = endpoint;
        if (known == null) {
            known = endpoints.get();
            endpoint = known;
            log.info("[RabbitMq] Using {}", known.description());
        }
        return known;
    }

    private synchronized RabbitMqTopology topology() {
        RabbitMqTopology known = topology;
        if (known == null) {
            known = RabbitMqTopologyFactory.of(settings.declare());
            topology = known;
        }
        return known;
    }

    private TopologyDeclarer declarer(RabbitMqEndpoint known) {
        RabbitMqTopology configured = topology();
        return connection -> {
            known.declarer().declare(connection);
            configured.declare(connection);
        };
    }

    private synchronized void declare(RabbitMqEndpoint known) {
        if (declared
                || (known.declarer() == TopologyDeclarer.NOTHING && topology().isEmpty())) {
            return;
        }
        declared = true;
        ConnectionFactory factory = known.factory().clone();
        factory.setAutomaticRecoveryEnabled(false);
        factory.setConnectionTimeout(CONNECT_MILLIS);
        factory.setHandshakeTimeout(CONNECT_MILLIS);
        try (Connection connection = factory.newConnection(null, known.addresses(), "waybill-topology")) {
            declarer(known).declare(connection);
            log.info("[RabbitMqTopology] Declared");
        } catch (TransportException e) {
            if (RabbitMqTopology.refusals(e).stream().noneMatch(RabbitMqTopology::isDifference)) {
                log.warn(
                        "[RabbitMqTopology] Not everything is declared, starting all the same; listeners try again now"
                                + " and then, an application that only publishes with its next connection {} cause={}",
                        known.description(),
                        LogText.sentence(e.getMessage()));
                return;
            }
            throw new StartUpException(
                    "waybill.rabbitmq.declare",
                    "RabbitMQ has something else than waybill.rabbitmq.declare says: " + e.getMessage() + ".",
                    "Change it in waybill.rabbitmq.declare, or delete it at the broker so that it is declared anew.",
                    e);
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            log.warn(
                    "[RabbitMqTopology] Not declared yet, the first connection will {} cause={}",
                    known.description(),
                    LogText.sentence(e.toString()));
        }
    }

    @Override
    public void start() {
        RabbitMqEndpoint used = used();
        if (used != null) {
            declare(used);
        }
        running = true;
    }

    private synchronized @Nullable RabbitMqEndpoint used() {
        return endpoint;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the relay and the listeners. */
    @Override
    public int getPhase() {
        return RelayLifecycle.PHASE - 1;
    }
}
