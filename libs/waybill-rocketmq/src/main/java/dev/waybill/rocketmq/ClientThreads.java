package dev.waybill.rocketmq;

import dev.waybill.transport.Receiver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.jspecify.annotations.Nullable;

/**
 * The client's threads that are inside the receiver, so that a stop can wait for them. The client acknowledges only after its
 * listener has returned, and in a shutdown it would send back as failed what was not begun. So threads that come after the
 * stop began wait until all others are done; then the queues are dropped, and the client neither acknowledges nor returns
 * their messages.
 */
final class ClientThreads {

    /** A thread's present or last work. */
    private record Work(List<MessageExt> messages, @Nullable ProcessQueue queue, boolean answered) {

        /** Whether we have answered and the client has recorded it, or has dropped the queue. */
        boolean over() {
            return answered && (queue == null || queue.isDropped() || !queue.containsMessage(messages.get(0)));
        }
    }

    private static final long LOOK_NANOS = 2_000_000;

    private final Map<Thread, Work> works = new ConcurrentHashMap<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Map<MessageQueue, ProcessQueue> queues = Map.of();
    private volatile boolean stopping;

    /** Told before the consumer starts. */
    void watch(Map<MessageQueue, ProcessQueue> queuesOfTheConsumer) {
        this.queues = queuesOfTheConsumer;
    }

    /** False when the messages are not to be touched any more. */
    boolean begin(List<MessageExt> messages, MessageQueue queue) {
        works.put(Thread.currentThread(), new Work(messages, queues.get(queue), false));
        if (!stopping) {
            return true;
        }
        works.remove(Thread.currentThread());
        awaitStopped();
        return false;
    }

    void answered() {
        works.computeIfPresent(Thread.currentThread(), (thread, work) -> new Work(work.messages, work.queue, true));
    }

    /** Whether nobody else got the messages meanwhile, because the queue moved to another consumer. */
    boolean stillOurs() {
        Work work = works.get(Thread.currentThread());
        return work == null || work.queue == null || !work.queue.isDropped();
    }

    /** A thread that gave its messages up in a stop lets the others finish first: to drop its queue would spoil theirs. */
    void leaveAtStop() {
        if (stopping) {
            works.remove(Thread.currentThread());
            awaitStopped();
        }
    }

    /** Makes the client forget what it has of a queue. */
    void giveUp(MessageQueue queue) {
        works.remove(Thread.currentThread());
        ProcessQueue dropped = queues.get(queue);
        if (dropped != null) {
            dropped.setDropped(true);
        }
    }

    void close() {
        stopping = true;
    }

    /**
     * Whether everybody was done before the deadline, by {@link System#nanoTime}. Only receivers at work are waited for, not
     * those that wait themselves.
     */
    boolean awaitAll(long deadline, Receiver receiver) {
        while (!works.values().stream().allMatch(Work::over)) {
            receiver.endWaiting();
            if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        return true;
    }

    void dropAll() {
        queues.values().forEach(queue -> queue.setDropped(true));
        stopped.countDown();
    }

    private void awaitStopped() {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
