package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.BodyFormat;
import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
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
    private static final Duration PROBE_ROUND = Duration.ofMillis(100);

    private final RelayParts parts;
    private final RelayReporter reporter;
    private final Breakers breakers;
    private final SendWindow window;
    private final HandoffQueue intake;
    private final Claimer claimer;
    private final Sender sender;
    private final Settler settler;
    private final List<Worker> workers;
    private volatile boolean running;

    private Relay(RelayParts parts) {
        this.parts = parts;
        this.reporter = new RelayReporter(parts.listener());
        this.breakers = new Breakers(reporter);
        this.window =
                new SendWindow(parts.settings().minWindow(), parts.settings().maxWindow());
        Lease lease = new Lease(newToken(), parts.settings().lease());
        this.intake = new HandoffQueue(parts, lease, breakers, this::ended, this::wake);
        this.claimer = new Claimer(parts, lease, intake, breakers);
        this.sender = new Sender(parts, intake, window, breakers, this::ended, this::unsettled);
        this.settler = new Settler(parts, intake, new LeaseRenewer(parts, lease, intake), reporter);
        this.workers = List.of(
                new Worker("waybill-claim", claimer::step, this::failed),
                new Worker("waybill-send", sender::step, this::failed),
                new Worker("waybill-settle", settler::step, this::failed),
                new Worker("waybill-probe", this::probe, this::failed));
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
        parts.store().verify();
        parts.transport().start();
        running = true;
        intake.open(true);
        workers.forEach(Worker::start);
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
        intake.open(false);
        claimer.wake();
        boolean clean = worker(0).join(left(end));
        worker(1).requestStop();
        clean &= worker(1).join(left(end));
        clean &= await(
                () -> {
                    sender.giveBackAll();
                    return intake.reserved() == 0 && window.inFlight() == 0;
                },
                end);
        worker(3).requestStop();
        if (worker(2).join(left(end))) {
            settler.flush();
        } else {
            clean = false;
        }
        clean &= worker(3).join(left(end));
        running = false;
        return clean && settler.unsettled() == 0;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops within 20 seconds and closes the transport. */
    @Override
    public void close() {
        stop(CLOSE_DEADLINE);
        parts.transport().close();
    }

    /** Tells the relay that something may be due, ahead of its next look. */
    public void wake() {
        claimer.wake();
    }

    /**
     * Sends one batch of what is due on the calling thread and returns when its rows are settled: for jobs that drain
     * and exit, and for tests. Only for a relay that is not started.
     *
     * @return how many rows were taken; zero when nothing is due
     */
    public synchronized int runOnce(Duration patience) {
        if (running) {
            throw new IllegalStateException("this relay runs by itself; runOnce is for one that is not started");
        }
        parts.transport().start();
        int taken = claimer.claim(parts.settings().batch());
        long end = System.nanoTime() + patience.toNanos();
        await(
                () -> {
                    sendWaiting();
                    return sender.isIdle() && window.inFlight() == 0;
                },
                end);
        settler.flush();
        return taken;
    }

    public RelayStats stats() {
        return new RelayStats(
                intake.waiting() + sender.prepared(),
                window.inFlight(),
                settler.unsettled(),
                window.limit(),
                reporter.sent.get(),
                reporter.retried.get(),
                reporter.dead.get(),
                reporter.released.get(),
                reporter.leasesLost.get(),
                breakers.down());
    }

    Handoff handoff() {
        return intake;
    }

    Router router() {
        return parts.router();
    }

    private void sendWaiting() {
        try {
            if (!sender.isIdle()) {
                sender.step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int unsettled() {
        return settler.unsettled();
    }

    private void ended(Ending ending) {
        settler.add(ending);
    }

    private void probe() throws InterruptedException {
        Thread.sleep(PROBE_ROUND.toMillis());
        for (String topic : breakers.dueForProbe(parts.ticker().getAsLong())) {
            boolean worthATry = parts.transport().probe(topic);
            breakers.probed(topic, worthATry, parts.ticker().getAsLong());
            if (worthATry) {
                window.restart();
                claimer.wake();
            }
        }
    }

    private void failed(Error error) {
        intake.open(false);
        workers.forEach(Worker::requestStop);
        reporter.failed(error);
    }

    private Worker worker(int place) {
        return workers.get(place);
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
            return new Relay(new RelayParts(
                    Objects.requireNonNull(store, "a relay needs a store"),
                    Objects.requireNonNull(transport, "a relay needs a transport"),
                    router,
                    retries,
                    bodyFormat,
                    settings,
                    listener,
                    checkpoints,
                    ticker));
        }
    }
}
