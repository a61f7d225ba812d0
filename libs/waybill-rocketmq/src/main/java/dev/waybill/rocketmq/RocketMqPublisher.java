package dev.waybill.rocketmq;

import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
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
 * Sends batches to the broker, a few at a time, from start to close.
 *
 * <p>Synchronous sends on a few threads, because the client tries another broker after an answer other than SEND_OK only
 * in its synchronous mode. A clock of our own gives outcomes in time even while the client waits for a name server.
 */
final class RocketMqPublisher {

    private static final Logger log = LoggerFactory.getLogger(RocketMqPublisher.class);
    private static final NotConfirmed CLOSED = new NotConfirmed(SendFailure.CONNECTION_LOST, "the transport is closed");

    private static final int MANY = 1 << 20;

    /** Bytes that no broker's limit on messages is below. */
    private static final int SURELY_SMALL = 64 * 1024;

    private final DefaultMQProducer producer;
    private final String name;
    private final Semaphore slots;
    private final ExecutorService workers;
    private final Thread clock;
    private final long tickNanos;
    private final Set<SendBatch> inFlight = ConcurrentHashMap.newKeySet();
    private volatile int batchBytes;
    private volatile boolean closed;

    RocketMqPublisher(DefaultMQProducer producer, String name, int batchesInFlight, long sendTimeoutNanos) {
        this.producer = producer;
        this.batchBytes = producer.getMaxMessageSize();
        this.name = name;
        this.slots = new Semaphore(batchesInFlight);
        this.tickNanos = Math.max(1_000_000, Math.min(sendTimeoutNanos / 40, 250_000_000));
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                batchesInFlight,
                batchesInFlight,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> daemon(work, "waybill-" + name + "-" + count.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        this.workers = pool;
        this.clock = daemon(this::watch, "waybill-" + name + "-clock");
        clock.start();
    }

    /** The largest batch: the setting, or less where the broker turned out to take less. */
    int batchBytes() {
        return batchBytes;
    }

    DefaultMQProducer producer() {
        return producer;
    }

    /** Waits until a batch may go, at most to the batch's deadline. */
    void submit(SendBatch batch) {
        try {
            if (!slots.tryAcquire(batch.deadline() - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                batch.fail(new NotConfirmed(SendFailure.TIMED_OUT, "all batches in flight wait for the broker"));
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            batch.fail(new NotConfirmed(SendFailure.TIMED_OUT, "interrupted while waiting for the broker"));
            return;
        }
        inFlight.add(batch);
        try {
            workers.execute(() -> {
                try {
                    send(batch);
                } finally {
                    finished(batch);
                }
            });
        } catch (RejectedExecutionException e) {
            finished(batch);
            batch.fail(CLOSED);
        }
        if (closed) {
            batch.fail(CLOSED);
        }
    }

    private void finished(SendBatch batch) {
        inFlight.remove(batch);
        slots.release();
    }

    /** Whether anything of the batch was confirmed. */
    private boolean send(SendBatch batch) {
        NotConfirmed result;
        try {
            result = RocketMqErrors.of(ask(batch));
        } catch (MQClientException | RemotingException | MQBrokerException | RuntimeException e) {
            result = RocketMqErrors.of(e);
        } catch (InterruptedException e) {
            result = CLOSED;
        }
        if (result == null) {
            batch.confirm();
            return true;
        }
        if (closed || !worthSplitting(batch, result.failure())) {
            log.debug(
                    "[RocketMqTransport] Batch not confirmed size={} detail={}",
                    batch.sends().size(),
                    result);
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
    private static boolean worthSplitting(SendBatch batch, SendFailure failure) {
        return batch.sends().size() > 1
                && (failure.permanent() || (failure == SendFailure.NACKED && batch.size() > SURELY_SMALL));
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
            long now = System.nanoTime();
            for (SendBatch batch : inFlight) {
                if (now - batch.deadline() >= 0) {
                    batch.fail(new NotConfirmed(SendFailure.TIMED_OUT, "no answer in time"));
                }
            }
        }
    }

    void close() {
        closed = true;
        inFlight.forEach(batch -> batch.fail(CLOSED));
        workers.shutdownNow();
        slots.release(MANY); // whoever waits for one is to find out now
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
