package dev.waybill.rocketmq;

import dev.waybill.transport.SendResult.NotConfirmed;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What goes to the broker in one request: messages of one topic, small enough together.
 *
 * @param sends at least one
 * @param deadline of the one that came last, by {@link System#nanoTime}; each of the others may have one of its own
 */
record SendBatch(List<PendingSend> sends, long deadline) {

    /** Takes the next messages of a topic in their order, not more than the limits unless it is one alone; null for none. */
    static @Nullable SendBatch take(Deque<PendingSend> waiting, int bytes, int messages) {
        List<PendingSend> taken = new ArrayList<>(Math.min(messages, waiting.size()));
        long size = 0;
        while (!waiting.isEmpty() && taken.size() < messages) {
            size += waiting.element().size;
            if (size > bytes && !taken.isEmpty()) {
                break;
            }
            taken.add(waiting.remove());
        }
        return taken.isEmpty() ? null : new SendBatch(taken, taken.get(taken.size() - 1).deadline);
    }

    long size() {
        return sends.stream().mapToLong(send -> send.size).sum();
    }

    /** Two batches of half the messages each. */
    List<SendBatch> halves() {
        int middle = sends.size() / 2;
        return List.of(
                new SendBatch(sends.subList(0, middle), deadline),
                new SendBatch(sends.subList(middle, sends.size()), deadline));
    }

    /** Ends the wait of those whose time is up. */
    void expire(long now, NotConfirmed result) {
        for (PendingSend send : sends) {
            if (now - send.deadline >= 0) {
                send.settle(result);
            }
        }
    }

    void confirm() {
        sends.forEach(PendingSend::confirm);
    }

    void fail(NotConfirmed result) {
        for (PendingSend send : sends) {
            send.settle(result);
        }
    }
}
