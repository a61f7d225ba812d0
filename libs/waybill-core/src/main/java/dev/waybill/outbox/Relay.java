package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.BodyFormat;
import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.OutboxStore;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends committed events to the broker, in the background: takes them from the hand-off or claims them from the table,
 * sends them pipelined, and settles their rows once the broker has confirmed.
 *
 * <p>At least once: a crash between the broker's confirmation and the settled row repeats the event, nothing loses it.
 * Any number of relays share one table. While the broker is down no waiting event spends an attempt. After an
 * {@link Error} in one of its threads the relay begins anew by itself.
 */
public final class Relay implements Lifecycle, AutoCloseable {

    private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(20);

    private final RelayContext context;
    private final Router router;
    private final RelaySupervisor supervisor;

    private Relay(Builder builder) {
        this.router = builder.router;
        RelayReporter reporter = new RelayReporter(builder.listener);
        this.context = new RelayContext(
                Objects.requireNonNull(builder.store, "a relay needs a store"),
                Objects.requireNonNull(builder.transport, "a relay needs a transport"),
                builder.settings,
                builder.retries,
                new MessageFactory(router, builder.bodyFormat),
                reporter,
                new Breakers(reporter),
                new RelayHooks(builder.ticker, builder.checkpoints));
        this.supervisor = new RelaySupervisor(onError -> new RelayRun(context, onError), reporter);
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
        if (supervisor.isStarted()) {
            return;
        }
        context.store().verify();
        context.transport().start();
        supervisor.start();
    }

    /**
     * Stops: takes nothing new, waits for transactions and answers under way, writes them, gives back the rest. Ends at the
     * deadline whatever database and broker do; what is left then returns when its leases end, and a line in the log says
     * how much it is. The transport stays open; {@link #close} closes it too.
     */
    @Override
    public synchronized boolean stop(Duration deadline) {
        return supervisor.stop(deadline);
    }

    /** False also while the broker is down, and after an error, for the moment until the relay works again by itself. */
    @Override
    public boolean isRunning() {
        return supervisor.isWorking() && obstacle() == null;
    }

    @Override
    public @Nullable String obstacle() {
        if (!supervisor.isStarted()) {
            return null;
        }
        if (!supervisor.isWorking()) {
            return "an error ended the relay; it begins anew after a pause";
        }
        String known = context.transport().obstacle();
        return known != null || !context.breakers().brokerIsDown()
                ? known
                : context.reporter().whyTheBrokerIsDown();
    }

    /** Stops within 20 seconds and closes the transport. Another call does nothing. */
    @Override
    public void close() {
        try {
            stop(CLOSE_DEADLINE);
        } finally {
            context.transport().close();
        }
    }

    /** Tells the relay that something may be due, ahead of its next look. */
    public void wake() {
        supervisor.run().wake();
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
        if (supervisor.isStarted()) {
            throw new IllegalStateException("this relay runs by itself; runOnce is for one that is not started");
        }
        context.transport().start();
        return supervisor.idleRun().round(patience);
    }

    public RelayStats stats() {
        RelayRun run = supervisor.run();
        RelayReporter reporter = context.reporter();
        return new RelayStats(
                run.waiting(),
                run.inFlight(),
                run.unsettled(),
                run.window(),
                reporter.sent.get(),
                reporter.retried.get(),
                reporter.dead.get(),
                reporter.released.get(),
                reporter.leasesLost.get(),
                context.breakers().down());
    }

    /** Where commits hand off now. A transaction keeps to the one that it began with. */
    Handoff handoff() {
        return supervisor.run().handoff();
    }

    Router router() {
        return router;
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

        /** Where events go that bring no destination. Without routes, such events are not published, or DEAD at once. */
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
