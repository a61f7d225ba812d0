package dev.waybill.marketplace.messaging;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.marketplace.messaging.Topology.Queue;
import dev.waybill.starter.StartUpException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares the topology on RabbitMQ. A queue that exists with other arguments does not stop the start-up: an empty delay queue is
 * deleted and declared again, any other queue is used as it is, and one log line says so.
 */
final class RabbitMqTopologyDeclarer implements TopologyDeclarer {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqTopologyDeclarer.class);
    private static final int CONNECT_MILLIS = 5_000;
    private static final String LIVES_WITH_ANOTHER_TTL =
            "messages that come out too early come back, orders that are overdue are closed by OrderTimeoutJob; delete the queue"
                    + " when it is empty and start again to have it declared anew";
    private static final String LIVES_WITH_OTHER_ARGUMENTS = "what fails for good reaches " + Topology.DLQ
            + " all the same, but what others reject may not; delete the queue when"
            + " it is empty and start again to have it declared anew";

    private final ConnectionFactory factory;
    private final List<Address> addresses;

    RabbitMqTopologyDeclarer(ConnectionFactory factory, List<Address> addresses) {
        this.factory = factory.clone();
        this.factory.setAutomaticRecoveryEnabled(false);
        this.factory.setConnectionTimeout(CONNECT_MILLIS);
        this.addresses = addresses;
    }

    @Override
    public void declare(Topology topology) throws IOException, TimeoutException {
        try (Connection connection = factory.newConnection(addresses, "marketplace-topology")) {
            declareExchange(connection, topology.exchange());
            for (Queue queue : topology.queues()) {
                declare(connection, queue);
                on(connection, channel -> channel.queueBind(queue.name(), topology.exchange(), queue.routingKey()));
            }
        }
    }

    private static void declareExchange(Connection connection, String exchange) throws IOException, TimeoutException {
        try {
            on(connection, channel -> channel.exchangeDeclare(exchange, "topic", true));
        } catch (IOException e) {
            if (!differs(e)) {
                throw e;
            }
            throw new StartUpException(
                    exchange,
                    "The exchange " + exchange + " is there, but is no durable topic exchange.",
                    "Delete it, or let spring.rabbitmq.virtual-host name a virtual host without it.",
                    e);
        }
    }

    private static void declare(Connection connection, Queue queue) throws IOException, TimeoutException {
        try {
            on(connection, channel -> channel.queueDeclare(queue.name(), true, false, false, queue.arguments()));
        } catch (IOException e) {
            if (!differs(e)) {
                throw e;
            }
            resolveDifference(connection, queue);
        }
    }

    /** The queue exists with other arguments; most likely the delay queue's TTL was changed in the settings. */
    private static void resolveDifference(Connection connection, Queue queue) throws IOException, TimeoutException {
        if (queue.name().equals(Topology.TIMEOUT_DELAY) && deletedEmpty(connection, queue.name())) {
            on(connection, channel -> channel.queueDeclare(queue.name(), true, false, false, queue.arguments()));
            log.info("[Topology] queue={} was empty and is declared anew with {}", queue.name(), queue.arguments());
            return;
        }
        log.warn(
                "[Topology] queue={} exists with other arguments than {} and is used as it is: {}",
                queue.name(),
                queue.arguments(),
                queue.name().equals(Topology.TIMEOUT_DELAY) ? LIVES_WITH_ANOTHER_TTL : LIVES_WITH_OTHER_ARGUMENTS);
    }

    /** The broker deletes the queue only if it is empty. A message sent before it is declared again is returned and sent later. */
    private static boolean deletedEmpty(Connection connection, String queue) throws IOException, TimeoutException {
        try {
            on(connection, channel -> channel.queueDelete(queue, true, true));
            return true;
        } catch (IOException e) {
            if (differs(e)) {
                return false;
            }
            throw e;
        }
    }

    /** One use of a channel, which the broker closes when it refuses. */
    @FunctionalInterface
    private interface Use {
        Object on(Channel channel) throws IOException;
    }

    /** A refusal closes the channel, so each use opens its own. */
    private static void on(Connection connection, Use use) throws IOException, TimeoutException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the broker allows no more channels");
        }
        use.on(channel);
        channel.close();
    }

    private static boolean differs(IOException refusal) {
        return refusal.getCause() instanceof ShutdownSignalException closed
                && closed.getReason() instanceof AMQP.Channel.Close close
                && close.getReplyCode() == AMQP.PRECONDITION_FAILED;
    }
}
