package dev.waybill.starter.broker;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import dev.waybill.message.LogText;
import dev.waybill.rabbitmq.RabbitMqTopology;
import dev.waybill.rabbitmq.TopologyDeclarer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.CacheMode;
import org.springframework.amqp.rabbit.core.RabbitAdmin;

/**
 * Has Spring AMQP declare the application's {@code Queue}, {@code Exchange}, {@code Binding} and {@code Declarables} beans.
 * RabbitAdmin does so when Spring's own connection is opened, and nothing else may ever open it: Waybill has its own. Where that
 * is open already, or is one of a cache for which RabbitAdmin declares nothing, RabbitAdmin is asked to.
 */
final class SpringAmqpDeclarer implements TopologyDeclarer {

    private static final Logger log = LoggerFactory.getLogger(SpringAmqpDeclarer.class);

    private final AbstractConnectionFactory springs;
    private final Supplier<Stream<RabbitAdmin>> admins;
    private final AtomicInteger opened = new AtomicInteger();

    SpringAmqpDeclarer(AbstractConnectionFactory springs, Supplier<Stream<RabbitAdmin>> admins) {
        this.springs = springs;
        this.admins = admins;
        springs.addConnectionListener(connection -> opened.incrementAndGet());
    }

    /** One at a time: each would open a connection of its own where Spring caches connections. */
    @Override
    public synchronized void declare(Connection ours) throws IOException {
        try {
            int before = opened.get();
            springs.createConnection().close(); // gives it back to Spring, which keeps it open
            if (opened.get() == before || cachesConnections()) {
                admins.get()
                        .filter(RabbitAdmin::isAutoStartup)
                        .filter(admin -> admin.getRabbitTemplate().getConnectionFactory() == springs)
                        .forEach(RabbitAdmin::initialize);
            }
        } catch (AmqpException e) {
            List<AMQP.Channel.Close> refusals = RabbitMqTopology.refusals(e);
            if (refusals.isEmpty()) {
                throw new IOException("Spring AMQP does not connect: " + e.getMessage(), e);
            }
            log.error(
                    "[RabbitMqTopology] A bean could not be declared, going on with what the broker has; the next"
                            + " connection tries again cause={}",
                    LogText.sentence(refusals.get(0).getReplyText()));
        }
    }

    private boolean cachesConnections() {
        return springs instanceof CachingConnectionFactory caching && caching.getCacheMode() == CacheMode.CONNECTION;
    }
}
