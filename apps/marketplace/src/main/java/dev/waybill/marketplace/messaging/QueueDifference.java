package dev.waybill.marketplace.messaging;

import com.rabbitmq.client.AMQP;
import dev.waybill.message.LogText;
import dev.waybill.rabbitmq.RabbitMqTopology;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.DeclarationExceptionEvent;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Hears that a queue exists with other arguments; most likely the delay queue's TTL, because the time to pay was changed. An empty
 * delay queue is deleted and declared again. Any other is used as it is, and one line says so: what comes out too early comes
 * back, and {@code OrderTimeoutJob} closes what is overdue.
 */
@Component
class QueueDifference {

    private static final Logger log = LoggerFactory.getLogger(QueueDifference.class);

    /** Every connection declares again; each queue is told of once. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    @EventListener
    void refused(DeclarationExceptionEvent event) {
        List<AMQP.Channel.Close> refusals = RabbitMqTopology.refusals(event.getThrowable());
        if (refusals.isEmpty() || !(event.getDeclarable() instanceof Queue queue) || !told.add(queue.getName())) {
            return; // the connection was lost, or this was said before
        }
        if (event.getSource() instanceof RabbitAdmin admin
                && queue.getName().equals(Topology.TIMEOUT_DELAY)
                && RabbitMqTopology.isDifference(refusals.get(0))
                && deletedEmpty(admin, queue)) {
            admin.declareQueue(queue);
            log.info(
                    "[Topology] queue={} was empty and is declared anew with {}",
                    queue.getName(),
                    queue.getArguments());
        } else {
            log.warn(
                    "[Topology] queue={} exists with other arguments than {} and is used as it is; delete it when it is empty"
                            + " to have it declared anew cause={}",
                    queue.getName(),
                    queue.getArguments(),
                    LogText.sentence(refusals.get(0).getReplyText()));
        }
    }

    /** The broker deletes the queue only if it is empty. A message sent before it is declared again is returned and sent later. */
    private static boolean deletedEmpty(AmqpAdmin admin, Queue queue) {
        try {
            admin.deleteQueue(queue.getName(), true, true);
            return true;
        } catch (AmqpException e) {
            log.debug("[Topology] queue={} is not deleted", queue.getName(), e);
            return false;
        }
    }
}
