package dev.waybill.rocketmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one topic that wait for their turn, and how many requests of that topic are under way. A topic whose broker
 * hangs fills its own queue and holds up no other.
 */
final class TopicSendQueue {

    /** More than any relay has at the broker at once: only a sender that counts nothing itself is made to wait. */
    private static final int ROOM = 16_384;

    private final int requestsAtOnce;
    private final Semaphore spareThreads;
    private final Deque<PendingSend> waiting = new ArrayDeque<>();
    private int requests;
    private boolean closed;

    /** @param spareThreads for a topic's second request at once and those after it; all topics share them */
    TopicSendQueue(int requestsAtOnce, Semaphore spareThreads) {
        this.requestsAtOnce = requestsAtOnce;
        this.spareThreads = spareThreads;
    }

    enum Added {
        YES,
        NO_ROOM,
        CLOSED
    }

    /** Waits for room, at most to the messages' deadline. */
    synchronized Added add(List<PendingSend> sends) throws InterruptedException {
        long deadline = sends.get(0).deadline;
        while (!closed && waiting.size() >= ROOM) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return Added.NO_ROOM;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        if (closed) {
            return Added.CLOSED;
        }
        waiting.addAll(sends);
        return Added.YES;
    }

    /** What a further thread may send now; it goes on with {@link #next}. Null when there is nothing, or no such thread. */
    synchronized @Nullable SendBatch begin(int bytes, int messages) {
        if (requests == requestsAtOnce || (requests > 0 && !spareThreads.tryAcquire())) {
            return null;
        }
        requests++;
        return next(bytes, messages);
    }

    /** What a thread that is done may send next. Null ends its work. */
    synchronized @Nullable SendBatch next(int bytes, int messages) {
        SendBatch batch = SendBatch.take(waiting, bytes, messages);
        if (batch == null) {
            ended();
        }
        notifyAll();
        return batch;
    }

    /** A thread that began is not at work any more. */
    synchronized void ended() {
        requests--;
        if (requests > 0) {
            spareThreads.release();
        }
    }

    /** Takes out what has waited for too long. */
    synchronized List<PendingSend> expired(long now) {
        List<PendingSend> expired = new ArrayList<>();
        while (!waiting.isEmpty() && now - waiting.element().deadline >= 0) {
            expired.add(waiting.remove());
        }
        if (!expired.isEmpty()) {
            notifyAll();
        }
        return expired;
    }

    synchronized List<PendingSend> close() {
        closed = true;
        List<PendingSend> left = List.copyOf(waiting);
        waiting.clear();
        notifyAll();
        return left;
    }
}
