package dev.waybill.memory;

import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.Transport.SendResults;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a slow or silent broker has not answered yet. A manual clock tells nobody when it moves, so the room looks
 * at it every millisecond while somebody waits.
 */
final class UnconfirmedSends implements AutoCloseable {

    /** One waiting message, the time of its answer, and the time at which it gives up. */
    record Guest(Message message, int index, SendResults results, Instant answer, Instant deadline) {

        void leave(SendResult outcome) {
            results.report(index, outcome);
        }
    }

    private final MemoryBroker broker;
    private final Deque<Guest> guests = new ArrayDeque<>();
    private boolean closed;

    UnconfirmedSends(MemoryBroker broker) {
        this.broker = broker;
        Thread clock = new Thread(this::run, "waybill-memory-clock");
        clock.setDaemon(true);
        clock.start();
    }

    /** Answers at once if the broker does, else lets the message wait. */
    void admit(Guest guest) {
        NotConfirmed refusal = null;
        synchronized (this) {
            if (closed) {
                refusal = closedOutcome();
            } else if (!guests.isEmpty() || !answersNow(guest, broker.clock().instant())) {
                guests.add(guest);
                notifyAll();
                return;
            }
        }
        guest.leave(refusal != null ? refusal : broker.take(guest.message));
    }

    private void run() {
        while (true) {
            List<Guest> answered = new ArrayList<>();
            List<Guest> expired = new ArrayList<>();
            synchronized (this) {
                try {
                    while (guests.isEmpty() && !closed) {
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
            answered.forEach(guest -> guest.leave(broker.take(guest.message)));
            expired.forEach(guest -> guest.leave(new NotConfirmed(SendFailure.TIMED_OUT, "no answer in time")));
        }
    }

    private void sort(Instant now, List<Guest> answered, List<Guest> expired) {
        guests.removeIf(guest -> {
            List<Guest> leaving = answersNow(guest, now) ? answered : now.isBefore(guest.deadline) ? null : expired;
            return leaving != null && leaving.add(guest);
        });
    }

    /** A broker that goes down answers everybody at once: the connection is gone. */
    private boolean answersNow(Guest guest, Instant now) {
        @Nullable NotConfirmed obstacle = broker.obstacle();
        boolean lost = obstacle != null && obstacle.failure() == SendFailure.CONNECTION_LOST;
        return lost || (broker.speaks() && !now.isBefore(guest.answer));
    }

    @Override
    public void close() {
        List<Guest> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(guests);
            guests.clear();
            notifyAll();
        }
        left.forEach(guest -> guest.leave(closedOutcome()));
    }

    private static NotConfirmed closedOutcome() {
        return new NotConfirmed(SendFailure.CONNECTION_LOST, "the transport is closed");
    }
}
