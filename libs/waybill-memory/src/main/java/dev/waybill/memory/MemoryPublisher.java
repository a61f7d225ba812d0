package dev.waybill.memory;

import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages to the broker and reports what became of them: at once while the broker answers at once, else from a thread
 * of its own. A manual clock tells nobody when it moves, so that thread looks at it every millisecond while a send waits.
 */
final class MemoryPublisher implements AutoCloseable {

    private final MemoryBroker broker;
    private final Deque<PendingSend> pending = new ArrayDeque<>();
    private boolean closed;

    MemoryPublisher(MemoryBroker broker) {
        this.broker = broker;
        Thread clock = new Thread(this::run, "waybill-memory-clock");
        clock.setDaemon(true);
        clock.start();
    }

    /** Answers at once if the broker does, else lets the message wait. */
    void publish(PendingSend send) {
        NotConfirmed refusal = null;
        synchronized (this) {
            if (closed) {
                refusal = closedResult();
            } else if (broker.isDown()) {
                refusal = new NotConfirmed(SendFailure.NO_CONNECTION, "the broker is down");
            } else if (!pending.isEmpty() || !answersNow(send, broker.clock().instant())) {
                pending.add(send);
                notifyAll();
                return;
            }
        }
        send.report(refusal != null ? refusal : broker.take(send.message()));
    }

    private void run() {
        while (true) {
            List<PendingSend> answered = new ArrayList<>();
            List<PendingSend> expired = new ArrayList<>();
            synchronized (this) {
                try {
                    while (pending.isEmpty() && !closed) {
                        wait();
                    }
                    if (closed) {
                        return;
                    }
                    wait(1);
                } catch (InterruptedException e) {
                    return;
                }
                sort(broker.clock().instant(), answered, expired);
            }
            answered.forEach(send -> send.report(broker.take(send.message())));
            expired.forEach(send -> send.report(new NotConfirmed(SendFailure.TIMED_OUT, "no answer in time")));
        }
    }

    private void sort(Instant now, List<PendingSend> answered, List<PendingSend> expired) {
        pending.removeIf(send -> {
            List<PendingSend> leaving =
                    answersNow(send, now) ? answered : now.isBefore(send.deadline()) ? null : expired;
            return leaving != null && leaving.add(send);
        });
    }

    /** A broker that goes down answers everybody at once: the connection is gone. */
    private boolean answersNow(PendingSend send, Instant now) {
        @Nullable NotConfirmed obstacle = broker.obstacle();
        boolean lost = obstacle != null && obstacle.failure() == SendFailure.CONNECTION_LOST;
        return lost || (broker.speaks() && !now.isBefore(send.answer()));
    }

    @Override
    public void close() {
        List<PendingSend> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(pending);
            pending.clear();
            notifyAll();
        }
        left.forEach(send -> send.report(closedResult()));
    }

    private static NotConfirmed closedResult() {
        return new NotConfirmed(SendFailure.CONNECTION_LOST, "the transport is closed");
    }
}
