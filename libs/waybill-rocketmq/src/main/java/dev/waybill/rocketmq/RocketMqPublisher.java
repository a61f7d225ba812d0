package dev.waybill.rocketmq;

import dev.waybill.message.LogText;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends batches to the broker, a few of each topic at a time, from start to close.
 *
 * <p>Synchronous sends on a few threads, because the client tries another broker after an answer other than SEND_OK only
 * in its synchronous mode. A clock of our own gives outcomes in time even while the client waits for a name server.
 */
final class RocketMqPublisher {

    private static final Logger log = LoggerFactory.getLogger(RocketMqPublisher.class);
    private static final NotConfirmed CLOSED = new NotConfirmed(SendFailure.CONNECTION_LOST, "the transport is closed");

    private static final NotConfirmed TIMED_OUT = new NotConfirmed(SendFailure.TIMED_OUT, "no answer in time");
    private static final NotConfirmed NOT_SENT =
            new NotConfirmed(SendFailure.NOT_SENT, "it waited for earlier messages of its topic until its time was up");

    /** Threads for busy topics, in multiples of what one topic may use. */
    private static final int BUSY_TOPICS = 8;

    /** Bytes that no broker's limit on messages is below. */
    private static final int SURELY_SMALL = 64 * 1024;

    private final DefaultMQProducer producer;
    private final String name;
    private final int batchLimit;
    private final int batchesInFlight;
    private final Semaphore spareThreads;
    private final Map<String, TopicSendQueue> topics = new ConcurrentHashMap<>();
    private final ExecutorService workers;
    private final Thread clock;
    private final long tickNanos;
    private final Set<SendBatch> inFlight = ConcurrentHashMap.newKeySet();
    private volatile int batchBytes;

    /** Since its last confirm the broker said no to a batch of no size to speak of: then to split others only adds load. */
    private volatile boolean refusesSmallOnes;

    private volatile boolean closed;

    RocketMqPublisher(DefaultMQProducer producer, RocketMqTransport.Builder settings) {
        this.producer = producer;
        this.batchBytes = producer.getMaxMessageSize();
        this.name = settings.name;
        this.batchLimit = settings.batchLimit;
        this.batchesInFlight = settings.batchesInFlight;
        this.spareThreads = new Semaphore(BUSY_TOPICS * (batchesInFlight - 1));
        this.tickNanos = Math.max(1_000_000, Math.min(settings.sendTimeout.toNanos() / 40, 250_000_000));
        AtomicInteger count = new AtomicInteger();
        // The topics' queues decide how many threads there are: one for each topic with messages, and a few more.
        this.workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                work -> daemon(work, "waybill-" + name + "-" + count.incrementAndGet()));
        this.clock = daemon(this::watch, "waybill-" + name + "-clock");
        clock.start();
    }

    DefaultMQProducer producer() {
        return producer;
    }

    /** Sends messages of one topic now, or as soon as those of the topic that went before let it. */
    void submit(String topic, List<PendingSend> sends) {
        TopicSendQueue queue = topics.computeIfAbsent(topic, any -> new TopicSendQueue(batchesInFlight, spareThreads));
        TopicSendQueue.Added added;
        try {
            added = queue.add(sends);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            added = TopicSendQueue.Added.NO_ROOM;
        }
        switch (added) {
            case YES -> begin(queue);
            case NO_ROOM -> sends.forEach(send -> send.settle(NOT_SENT));
            case CLOSED -> sends.forEach(send -> send.settle(CLOSED));
        }
        if (closed) { // perhaps after close looked through the queues
            queue.close().forEach(send -> send.settle(CLOSED));
        }
    }

    private void begin(TopicSendQueue queue) {
        for (SendBatch batch = queue.begin(batchBytes, batchLimit);
                batch != null;
                batch = queue.begin(batchBytes, batchLimit)) {
            SendBatch first = batch;
            inFlight.add(first);
            try {
                workers.execute(() -> work(queue, first));
            } catch (RejectedExecutionException e) {
                inFlight.remove(first);
                queue.ended();
                first.fail(CLOSED);
                return;
            } catch (Error e) { // no memory for a thread: these sends never left, and the topic keeps its place for
                // the next
                inFlight.remove(first);
                queue.ended();
                first.fail(NOT_SENT);
                throw e;
            }
        }
    }

    private void work(TopicSendQueue queue, SendBatch first) {
        for (SendBatch batch = first; batch != null; batch = queue.next(batchBytes, batchLimit)) {
            inFlight.add(batch);
            try {
                if (closed) {
                    batch.fail(CLOSED);
                } else {
                    send(batch);
                }
            } catch (Error e) { // nobody knows what was sent, but the topic's next messages need this thread
                log.error(
                        "[RocketMqTransport] A send failed badly size={}",
                        batch.sends().size(),
                        LogText.thrown(e));
                batch.fail(RocketMqErrors.of(e));
            } finally {
                inFlight.remove(batch);
            }
        }
    }

    /** Whether anything of the batch was confirmed. */
    private boolean send(SendBatch batch) {
        if (batch.sends().stream().allMatch(PendingSend::settled)) {
            return false;
        }
        NotConfirmed result;
        try {
            result = RocketMqErrors.of(ask(batch));
        } catch (MQClientException | RemotingException | MQBrokerException | RuntimeException e) {
            result = RocketMqErrors.of(e);
        } catch (InterruptedException e) {
            result = CLOSED;
        }
        if (result == null) {
            refusesSmallOnes = false;
            batch.confirm();
            return true;
        }
        refusesSmallOnes |= result.failure() == SendFailure.NACKED && batch.size() <= SURELY_SMALL;
        if (closed || !worthSplitting(batch, result.failure())) {
            log.debug(
                    "[RocketMqTransport] Batch not confirmed size={} detail={}",
                    batch.sends().size(),
                    LogText.sentence(result.describe()));
            batch.fail(result);
            return false;
        }
        List<SendBatch> halves = batch.halves();
        boolean first = send(halves.get(0));
        boolean second = send(halves.get(1));
        if ((first || second) && result.failure() == SendFailure.NACKED) {
            lowerTo(Math.max(SURELY_SMALL, (int) batch.size() / 2));
        }
        return first || second;
    }

    private synchronized void lowerTo(int bytes) {
        if (bytes < batchBytes) {
            batchBytes = bytes;
            log.warn(
                    "[RocketMqTransport] Batches made smaller, as the broker's maxMessageSize seems to be bytes={}",
                    bytes);
        }
    }

    /**
     * The broker refuses a batch as a whole, and one message's fault must not kill the others. A batch above the broker's
     * own size limit it even answers with its code for any error, the same as for a broken disk; so those are split only
     * down to a size that no broker objects to.
     */
    private boolean worthSplitting(SendBatch batch, SendFailure failure) {
        boolean perhapsTooLarge = failure == SendFailure.NACKED && batch.size() > SURELY_SMALL && !refusesSmallOnes;
        return batch.sends().size() > 1 && (failure.permanent() || perhapsTooLarge);
    }

    private SendResult ask(SendBatch batch)
            throws MQClientException, RemotingException, MQBrokerException, InterruptedException {
        long millis = TimeUnit.NANOSECONDS.toMillis(batch.deadline() - System.nanoTime());
        List<Message> messages = batch.sends().stream()
                .filter(send -> !send.settled())
                .map(send -> send.message)
                .toList();
        // A batch of one would only be a costlier way to send a message.
        return messages.size() == 1
                ? producer.send(messages.get(0), Math.max(1, millis))
                : producer.send(messages, Math.max(1, millis));
    }

    private void watch() {
        while (!closed) {
            LockSupport.parkNanos(this, tickNanos);
            try {
                expire(System.nanoTime());
            } catch (RuntimeException
                    | Error e) { // the next tick sees to what is left; without ticks nothing would end
                log.error("[RocketMqTransport] Looking for expired sends failed", LogText.thrown(e));
            }
        }
    }

    private void expire(long now) {
        for (SendBatch batch : inFlight) {
            batch.expire(now, TIMED_OUT);
        }
        // After those before them, so that the reader of the results knows what they waited for.
        for (TopicSendQueue queue : topics.values()) {
            queue.expired(now).forEach(send -> send.settle(NOT_SENT));
        }
    }

    void close() {
        closed = true;
        topics.values().forEach(queue -> queue.close().forEach(send -> send.settle(CLOSED)));
        inFlight.forEach(batch -> batch.fail(CLOSED));
        workers.shutdownNow();
        LockSupport.unpark(clock);
        // The client unregisters at every broker and waits seconds for one that does not answer.
        BackgroundShutdown.of(producer::shutdown, name);
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
