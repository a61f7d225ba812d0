package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.LogText;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport.SendResults;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message at the broker without a result yet. Confirms, returns, the clock, a lost connection and close race for its result: the first to
 * settle it wins, the others change nothing.
 */
final class PendingSend {

    private static final Logger log = LoggerFactory.getLogger(PendingSend.class);
    private static final SendResult CONFIRMED = new SendResult.Confirmed(null);

    final Message message;
    final BasicProperties properties;
    /** Unique in this transport; a return brings it back in a header. */
    final long stamp;

    private final long deadline;
    private final int index;
    private final SendResults results;
    private final Semaphore room;
    private final AtomicBoolean settled = new AtomicBoolean();

    PendingSend(Message message, int index, SendResults results, long stamp, long deadline, Semaphore room) {
        this.message = message;
        this.properties = RabbitMqMessageMapper.of(message.event(), stamp);
        this.stamp = stamp;
        this.deadline = deadline;
        this.index = index;
        this.results = results;
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
        settle(new SendResult.NotConfirmed(failure, detail));
    }

    private void settle(SendResult result) {
        if (!settled.compareAndSet(false, true)) {
            return;
        }
        room.release();
        try {
            results.report(index, result);
        } catch (RuntimeException e) {
            // Must not kill the client's reading thread, which every other message's confirm needs.
            log.error(
                    "[RabbitMqTransport] SendResult not taken eventId={}",
                    LogText.token(message.event().eventId()),
                    LogText.thrown(e));
        }
    }
}
