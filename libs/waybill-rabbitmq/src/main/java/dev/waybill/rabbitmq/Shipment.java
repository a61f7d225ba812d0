package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.Message;
import dev.waybill.transport.Outcome;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.Transport.Outcomes;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message on its way. Confirms, returns, the clock, a lost connection and close race for its outcome: the first to
 * settle it wins, the others change nothing.
 */
final class Shipment {

    private static final Logger log = LoggerFactory.getLogger(Shipment.class);
    private static final Outcome CONFIRMED = new Outcome.Confirmed(null);

    final Message message;
    final BasicProperties properties;
    /** Unique in this transport; a return brings it back in a header. */
    final long stamp;

    private final long deadline;
    private final int index;
    private final Outcomes outcomes;
    private final Semaphore room;
    private final AtomicBoolean settled = new AtomicBoolean();

    Shipment(Message message, int index, Outcomes outcomes, long stamp, long deadline, Semaphore room) {
        this.message = message;
        this.properties = AmqpProperties.of(message.event(), stamp);
        this.stamp = stamp;
        this.deadline = deadline;
        this.index = index;
        this.outcomes = outcomes;
        this.room = room;
    }

    String exchange() {
        return message.destination().topic();
    }

    boolean settled() {
        return settled.get();
    }

    boolean expired(long now) {
        return now - deadline >= 0;
    }

    void confirm() {
        settle(CONFIRMED);
    }

    void fail(SendFailure failure, String detail) {
        settle(new Outcome.NotConfirmed(failure, detail));
    }

    private void settle(Outcome outcome) {
        if (!settled.compareAndSet(false, true)) {
            return;
        }
        room.release();
        try {
            outcomes.report(index, outcome);
        } catch (RuntimeException e) {
            // Must not kill the client's reading thread, which every other message's confirm needs.
            log.error(
                    "[RabbitMqTransport] Outcome not taken eventId={}",
                    message.event().eventId(),
                    e);
        }
    }
}
