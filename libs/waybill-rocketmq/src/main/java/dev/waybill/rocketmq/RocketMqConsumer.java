package dev.waybill.rocketmq;

import dev.waybill.lifecycle.Restartable;
import dev.waybill.lifecycle.WarningThrottle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One consumer from start to stop. It starts as soon as the broker and the topic are there, which may take a while. */
final class RocketMqConsumer implements Restartable.Run {

    private static final Logger log = LoggerFactory.getLogger(RocketMqConsumer.class);
    private static final Duration FIRST_LOOK = Duration.ofMillis(100);
    private static final Duration SHUTDOWN_PATIENCE = Duration.ofSeconds(3);

    private final RocketMqSubscriptions.Builder builder;
    private final SubscriptionSpec spec;
    private final Receiver receiver;
    private final ConsumerPreflight preflight;
    private final ClientThreads threads = new ClientThreads();
    private final RocketMqListener listener;
    private final Worker launcher;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile @Nullable DefaultMQPushConsumer consumer;
    private final ReceiverPatience patience;
    private final String endpoint;
    private final WarningThrottle warnings = new WarningThrottle();
    private volatile @Nullable String obstacle;
    private volatile boolean begun;
    private Duration look = FIRST_LOOK;

    RocketMqConsumer(
            RocketMqSubscriptions.Builder builder,
            SubscriptionSpec spec,
            Receiver receiver,
            Republisher republisher,
            ConsumerPreflight preflight,
            ReceiverPatience patience) {
        this.builder = builder;
        this.spec = spec;
        this.receiver = receiver;
        this.preflight = preflight;
        this.patience = patience;
        this.endpoint = builder.endpoint();
        this.obstacle = "no answer yet from a broker of " + endpoint;
        this.listener = new RocketMqListener(spec, receiver, republisher, threads, patience);
        this.launcher = new Worker(
                "waybill-" + spec.source() + "-launcher",
                this::look,
                error -> log.error(
                        "[RocketMqSubscriptions] Not started topic={}", spec.source(), LogText.thrown(error)));
    }

    @Override
    public void start() {
        launcher.start();
    }

    @Override
    public @Nullable String obstacle() {
        return obstacle;
    }

    /** Starts the client's consumer as soon as it can work, and then sees whether the brokers still answer. */
    private void look() throws InterruptedException {
        String missing = consumer == null
                ? preflight.missing(spec.source(), spec.group())
                : preflight.silence(spec.source(), spec.group());
        if (missing == null) {
            if (consumer == null) {
                begin();
                begun = true;
            }
            obstacle = null;
            warnings.end();
            look = builder.pollNameServer;
        } else if (stopping.getCount() > 0) {
            obstacle = "topic " + spec.source() + " at " + endpoint + ": " + missing;
            tell(missing);
        }
        if (stopping.await(look.toMillis(), TimeUnit.MILLISECONDS)) {
            launcher.requestStop();
        } else if (consumer == null) {
            Duration longer = look.multipliedBy(2);
            look = longer.compareTo(builder.pollNameServer) > 0 ? builder.pollNameServer : longer;
        }
    }

    /** A group that never had a dead letter has no topic for them, and that is as it should be. */
    private void tell(String missing) {
        if (patience.equals(ReceiverPatience.OF_DEAD_LETTERS) && consumer == null) {
            log.debug("[RocketMqSubscriptions] Waiting topic={} for={}", spec.source(), LogText.sentence(missing));
        } else if (warnings.isDue(System.nanoTime())) {
            log.warn(
                    "[RocketMqSubscriptions] Receives nothing, trying on: topic={} group={} at {}: {}",
                    spec.source(),
                    spec.group(),
                    endpoint,
                    LogText.sentence(missing));
        }
    }

    private void begin() {
        DefaultMQPushConsumer fresh = ClientConsumers.make(builder, spec, listener);
        threads.watch(inside(fresh).getRebalanceImpl().getProcessQueueTable());
        consumer = fresh;
        try {
            fresh.start();
            inside(fresh).getmQClientFactory().doRebalance(); // the client would think about it for a second
            log.info(
                    "[RocketMqSubscriptions] Consuming topic={} group={} concurrency={} prefetch={}",
                    spec.source(),
                    spec.group(),
                    spec.concurrency(),
                    spec.prefetch());
        } catch (MQClientException | RuntimeException e) {
            // A broker that dies meanwhile leaves one that is half started: it would never ask for the topic again.
            consumer = null;
            BackgroundShutdown.of(fresh::shutdown, spec.source());
            awaitGone(fresh);
            throw new IllegalStateException("the consumer does not start, topic=" + spec.source(), e);
        }
    }

    @Override
    public boolean stop(Duration deadline) {
        long end = System.nanoTime() + deadline.toNanos();
        stopping.countDown();
        threads.close();
        launcher.join(begun ? FIRST_LOOK : SHUTDOWN_PATIENCE); // only a question to the broker is cut short
        DefaultMQPushConsumer running = consumer;
        if (running == null) {
            return true;
        }
        running.suspend();
        listener.stop();
        boolean inTime = threads.awaitAll(end, receiver);
        threads.dropAll();
        BackgroundShutdown.of(running::shutdown, spec.source());
        awaitGone(running);
        return inTime;
    }

    @SuppressWarnings("deprecation") // the client itself cannot say what it has in hand, or whether it is gone
    private static DefaultMQPushConsumerImpl inside(DefaultMQPushConsumer consumer) {
        return consumer.getDefaultMQPushConsumerImpl();
    }

    /** The broker must know that this consumer is gone, or the next one gets only a part of the queues. */
    private void awaitGone(DefaultMQPushConsumer leaving) {
        var client = inside(leaving).getmQClientFactory();
        if (client == null) {
            return; // it has not come so far
        }
        long end = System.nanoTime() + SHUTDOWN_PATIENCE.toNanos();
        while (client.selectConsumer(spec.group()) != null && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(this, FIRST_LOOK.toNanos() / 20);
        }
    }
}
