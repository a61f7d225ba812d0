package dev.waybill.rocketmq;

import dev.waybill.transport.Outcome;
import dev.waybill.transport.Transport.Outcomes;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message on its way. The broker's answer, the clock and close race for its outcome: the first to settle it wins,
 * the others change nothing.
 */
final class Shipment {

    private static final Logger log = LoggerFactory.getLogger(Shipment.class);

    final Message message;
    final int size;
    private final int index;
    private final Outcomes outcomes;
    private final AtomicBoolean settled = new AtomicBoolean();

    Shipment(Message message, int size, int index, Outcomes outcomes) {
        this.message = message;
        this.size = size;
        this.index = index;
        this.outcomes = outcomes;
    }

    boolean settled() {
        return settled.get();
    }

    /** The client gave every message of a batch an id of its own; the broker stores it with the message. */
    void confirm() {
        settle(new Outcome.Confirmed(MessageClientIDSetter.getUniqID(message)));
    }

    void settle(Outcome outcome) {
        if (!settled.compareAndSet(false, true)) {
            return;
        }
        try {
            outcomes.report(index, outcome);
        } catch (RuntimeException e) {
            // The other messages of the batch still need their outcomes.
            log.error("[RocketMqTransport] Outcome not taken eventId={}", message.getKeys(), e);
        }
    }
}
