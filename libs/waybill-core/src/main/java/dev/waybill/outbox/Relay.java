package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.BodyFormat;
import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends committed events to the broker, in the background: takes them from the hand-off or claims them from the table,
 * sends them pipelined, and settles their rows once the broker has confirmed.
 *
 * <p>At least once: a crash between the broker's confirmation and the settled row repeats the event, nothing loses it.
 * Any number of relays share one table. While the broker is down no waiting event spends an attempt.
 */
public final class Relay implements Lifecycle, AutoCloseable {

    private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);

    private final OutboxStore store;
    private final Transport transport;
    private final Router router;
    private final RelaySettings settings;
    private final RelayReporter reporter;
    private final Breakers breakers;
    private final SendWindow window;
    private final SettlementQueue settlements;
    private final SendQueue queue;
    private final Claimer claimer;
    private final RelayHandoff handoff;
    private final PreparedMessages prepared;
    private final Sender sender;
    private final Settler settler;
    private final BreakerProbe probe;
    private final RelayWorkers workers;
    private volatile boolean running;

    /**
     * Who feeds whom: commits (handoff) and the table (claimer) fill the queue, the sender empties it, the broker's answers
     * become settlements, the settler writes those.
     */
    private Relay(Builder builder) {
        this.store = Objects.requireNonNull(builder.store, "a relay needs a store");
        this.transport = Objects.requireNonNull(builder.transport, "a relay needs a transport");
        this.router = builder.router;
        this.settings = builder.settings;
        RelayHooks hooks = new RelayHooks(builder.ticker, builder.checkpoints);
        this.reporter = new RelayReporter(builder.listener);

        this.breakers = new Breakers(reporter);
        this.window = new SendWindow(settings.minWindow(), settings.maxWindow());
        this.settlements = new SettlementQueue(settings.settleBatch(), settings.settleLinger());
        this.queue = new SendQueue(settings.handoffCapacity());
        InFlightEvents inFlight = new InFlightEvents(new Lease(newToken(), settings.lease()), queue);

        this.claimer = new Claimer(store, settings, inFlight, settlements, breakers, hooks);
        this.handoff = new RelayHandoff(inFlight, queue, settlements, breakers, claimer, hooks);

        SendResultRecorder results = new SendResultRecorder(builder.retries, settlements, window, breakers, hooks);
        MessageFactory messages = new MessageFactory(router, builder.bodyFormat);
        this.prepared = new PreparedMessages(queue, messages, breakers, results, hooks, settings.lease());
        RepeatBudget budget = new RepeatBudget(settings, window, settlements);
        this.sender = new Sender(transport, prepared, window, budget, results, hooks);

        LeaseRenewer leases = new LeaseRenewer(store, inFlight, hooks);
        this.settler = new Settler(store, settlements, inFlight, leases, reporter, hooks);

        this.probe = new BreakerProbe(transport, breakers, window, claimer, hooks);
        this.workers = new RelayWorkers(claimer, sender, settler, probe, handoff, reporter);
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Checks table and transport, then starts. An unreachable broker delays, it does not fail the start.
     *
     * @throws dev.waybill.store.StoreException when the table cannot be used as it is
     * @throws dev.waybill.transport.TransportException when a setting would break a promise
     */
    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        store.verify();
        transport.start();
        running = true;
        handoff.open(true);
        workers.start();
    }

    /**
     * Stops: takes nothing new, waits for transactions and answers under way, writes them, gives back the rest.
     * The transport stays open; {@link #close} closes it too.
     */
    @Override
    public synchronized boolean stop(Duration deadline) {
        if (!running) {
            return true;
        }
        long end = System.nanoTime() + deadline.toNanos();
        handoff.open(false);
        workers.claim.requestStop();
        claimer.wake();
        boolean clean = workers.claim.join(left(end));
        clean &= workers.send.join(left(end));
        clean &= await(
                () -> {
                    prepared.releaseAll();
                    return queue.reserved() == 0 && window.inFlight() == 0;
                },
                end);
        workers.probe.requestStop();
        if (workers.settle.join(left(end))) {
            settler.flush();
        } else {
            clean = false;
        }
        clean &= workers.probe.join(left(end));
        running = false;
        return clean && settlements.unsettled() == 0;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops within 20 seconds and closes the transport. */
    @Override
    public void close() {
        stop(CLOSE_DEADLINE);
        transport.close();
    }

    /** Tells the relay that something may be due, ahead of its next look. */
    public void wake() {
        claimer.wake();
    }

    /**
     * Sends one batch of what is due on the calling thread and returns when its rows are settled: for jobs that drain
     * and exit, and for tests. Only for a relay that is not started. Waits for a broker that is down, asking it from time
     * to time.
     *
     * @param patience how long to wait at most for the broker, whether it is down or slow to answer
     * @return how many rows were taken; zero when nothing is due, or when the broker stayed down
     */
    public synchronized int runOnce(Duration patience) {
        if (running) {
            throw new IllegalStateException("this relay runs by itself; runOnce is for one that is not started");
        }
        transport.start();
        long end = System.nanoTime() + patience.toNanos();
        boolean up = await(
                () -> {
                    probe.probeDue();
                    return !breakers.brokerIsDown();
                },
                end);
        if (!up) {
            return 0;
        }
        int taken = claimer.claim(settings.batch());
        await(
                () -> {
                    sendWaiting();
                    return prepared.waiting() == 0 && window.inFlight() == 0;
                },
                end);
        settler.flush();
        return taken;
    }

    public RelayStats stats() {
        return new RelayStats(
                prepared.waiting(),
                window.inFlight(),
                settlements.unsettled(),
                window.limit(),
                reporter.sent.get(),
                reporter.retried.get(),
                reporter.dead.get(),
                reporter.released.get(),
                reporter.leasesLost.get(),
                breakers.down());
    }

    Handoff handoff() {
        return handoff;
    }

    Router router() {
        return router;
    }

    private void sendWaiting() {
        try {
            if (prepared.waiting() > 0) {
                sender.step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    }

    private static boolean await(BooleanSupplier done, long end) {
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                return false;
            }
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
        return true;
    }

    private static String newToken() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    }

    /** Puts a relay together. Store and transport are needed, the rest has defaults. */
    public static final class Builder {

        private @Nullable OutboxStore store;
        private @Nullable Transport transport;
        private Router router = event -> null;
        private RetryRules retries = RetryRules.all(ExponentialBackoff.standard());
        private BodyFormat bodyFormat = BodyFormat.ENVELOPE;
        private RelaySettings settings = RelaySettings.defaults();
        private RelayListener listener = new RelayListener() {};
        private Checkpoints checkpoints = Checkpoints.NONE;
        private LongSupplier ticker = System::nanoTime;

        private Builder() {}

        public Builder store(OutboxStore store) {
            this.store = store;
            return this;
        }

        public Builder transport(Transport transport) {
            this.transport = transport;
            return this;
        }

        /** Where events go that bring no destination. Without routes, such events are DEAD at once. */
        public Builder router(Router router) {
            this.router = router;
            return this;
        }

        public Builder retries(RetryRules retries) {
            this.retries = retries;
            return this;
        }

        public Builder bodyFormat(BodyFormat bodyFormat) {
            this.bodyFormat = bodyFormat;
            return this;
        }

        public Builder settings(RelaySettings settings) {
            this.settings = settings;
            return this;
        }

        public Builder listener(RelayListener listener) {
            this.listener = listener;
            return this;
        }

        public Builder checkpoints(Checkpoints checkpoints) {
            this.checkpoints = checkpoints;
            return this;
        }

        /** The monotonic clock by which leases are counted on this side, in nanoseconds. */
        public Builder ticker(LongSupplier ticker) {
            this.ticker = ticker;
            return this;
        }

        public Relay build() {
            return new Relay(this);
        }
    }
}
