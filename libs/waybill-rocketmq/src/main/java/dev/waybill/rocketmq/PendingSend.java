package dev.waybill.rocketmq;

import dev.waybill.message.LogText;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport.SendResults;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message at the broker without a result yet. The broker's answer, the clock and close race for its result: the first to settle it wins,
 * the others change nothing.
 */
final class PendingSend {

    private static final Logger log = LoggerFactory.getLogger(PendingSend.class);

    final Message message;
    final int size;

    /** By {@link System#nanoTime}. */
    final long deadline;

    private final int index;
    private final SendResults results;
    private final AtomicBoolean settled = new AtomicBoolean();

    PendingSend(Message message, int size, long deadline, int index, SendResults results) {
        this.message = message;
        this.size = size;
        this.deadline = deadline;
        this.index = index;
        this.results = results;
    }

    boolean settled() {
        return settled.get();
    }

    /** The client gave every message of a batch an id of its own; the broker stores it with the message. */
    void confirm() {
        settle(new SendResult.Confirmed(MessageClientIDSetter.getUniqID(message)));
    }

    void settle(SendResult result) {
        if (!settled.compareAndSet(false, true)) {
            return;
        }
        try {
            results.report(index, result);
        } catch (RuntimeException e) {
            // The other messages of the batch still need their results.
            log.error(
                    "[RocketMqTransport] A result callback failed eventId={}",
                    LogText.token(message.getKeys()),
                    LogText.thrown(e));
        }
    }
}
