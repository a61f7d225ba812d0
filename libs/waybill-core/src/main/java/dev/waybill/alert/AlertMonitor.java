package dev.waybill.alert;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.Restartable;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import dev.waybill.store.AlertStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the readings from time to time, and raises and clears alerts with the other replicas of its application: people hear
 * of each once. An alert is cleared when no replica has seen its condition for three looks.
 *
 * <p>While the database is away nothing is raised and nothing cleared. A notice is told at most once: it is lost with a process
 * that dies before its sinks have told it, but what is raised stays in the table.
 */
public final class AlertMonitor implements Lifecycle {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.alert.Alerts");

    private final Watch watch;
    private final List<AlertSink> sinks;
    private final Restartable runs = new Restartable(Run::new);
    private volatile @Nullable Run last;

    private AlertMonitor(Watch watch, List<AlertSink> sinks) {
        this.watch = watch;
        this.sinks = List.copyOf(sinks);
    }

    /** What is watched, and against which rules. */
    record Watch(
            String scope,
            AlertStore store,
            List<AlertProbe> probes,
            List<AlertProbe> slowProbes,
            Map<String, AlertRule> rules,
            Duration interval,
            Clock clock,
            LongSupplier ticker) {}

    /**
     * Begins a monitor.
     *
     * @param scope the application's name, the same on all its replicas
     */
    public static Builder builder(String scope, AlertStore store) {
        return new Builder(scope, store);
    }

    @Override
    public void start() {
        runs.start();
    }

    /** Ends looking, and tells what is still to be told as far as the time goes. */
    @Override
    public boolean stop(Duration deadline) {
        return runs.stop(deadline);
    }

    @Override
    public boolean isRunning() {
        return runs.isRunning();
    }

    /** Notices that a sink did not take, since the last start. */
    public long dropped() {
        Run run = last;
        return run == null
                ? 0
                : run.queues.stream().mapToLong(SinkQueue::dropped).sum();
    }

    /** From one start to its stop. */
    private final class Run implements Restartable.Run {

        private final List<SinkQueue> queues =
                sinks.stream().map(SinkQueue::new).toList();
        private final List<SlowProbe> slow = watch.slowProbes().stream()
                .map(probe -> new SlowProbe(probe, watch.interval()))
                .toList();
        private final AlertLooks looks = new AlertLooks(
                watch,
                Stream.<AlertProbe>concat(watch.probes().stream(), slow.stream())
                        .toList(),
                this::tell);
        private final Object bell = new Object();
        private boolean stopping;
        private final Worker looking = new Worker(
                "waybill-alerts",
                this::step,
                error -> log.error("[Alerts] Looking ended by an error", LogText.thrown(error)));

        @Override
        public void start() {
            last = this;
            queues.forEach(SinkQueue::start);
            slow.forEach(SlowProbe::start);
            looking.start();
        }

        @Override
        public boolean stop(Duration deadline) {
            long end = System.nanoTime() + deadline.toNanos();
            synchronized (bell) {
                stopping = true;
                bell.notifyAll();
            }
            boolean clean = looking.join(deadline.dividedBy(2));
            for (SlowProbe probe : slow) {
                clean &= probe.stop(Duration.ofMillis(100)); // it only reads: nothing is lost with it
            }
            for (SinkQueue queue : queues) {
                clean &= queue.stop(Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime())));
            }
            return clean;
        }

        private void step() throws InterruptedException {
            looks.look();
            synchronized (bell) {
                long end = System.nanoTime() + watch.interval().toNanos();
                for (long left = watch.interval().toMillis();
                        !stopping && left > 0;
                        left = (end - System.nanoTime()) / 1_000_000) {
                    bell.wait(left);
                }
            }
        }

        private void tell(AlertNotice notice) {
            queues.forEach(queue -> queue.add(notice));
        }
    }

    /** Puts a monitor together. */
    public static final class Builder {

        private final String scope;
        private final AlertStore store;
        private final List<AlertProbe> probes = new ArrayList<>();
        private final List<AlertProbe> slowProbes = new ArrayList<>();
        private final List<AlertSink> sinks = new ArrayList<>();
        private List<AlertRule> rules = AlertRules.defaults();
        private Duration interval = Duration.ofSeconds(5);
        private Clock clock = Clock.systemUTC();
        private LongSupplier ticker = System::nanoTime;

        private Builder(String scope, AlertStore store) {
            this.scope = Objects.requireNonNull(scope, "scope");
            this.store = Objects.requireNonNull(store, "store");
        }

        public Builder probe(AlertProbe probe) {
            probes.add(probe);
            return this;
        }

        /** One that asks over a network: read at the same interval, on a thread of its own. */
        public Builder slowProbe(AlertProbe probe) {
            slowProbes.add(probe);
            return this;
        }

        public Builder sink(AlertSink sink) {
            sinks.add(sink);
            return this;
        }

        /** In place of {@link AlertRules#defaults}; each with a name of its own. */
        public Builder rules(List<AlertRule> own) {
            this.rules = List.copyOf(own);
            return this;
        }

        /** Between two looks; 5 s by default, the same on all replicas. */
        public Builder interval(Duration between) {
            if (between.toMillis() < 10) {
                throw new IllegalArgumentException("the interval is at least 10 ms, was " + between);
            }
            this.interval = between;
            return this;
        }

        /** For the times in notices. */
        public Builder clock(Clock own) {
            this.clock = own;
            return this;
        }

        /** For how long something lasts, in nanoseconds. */
        public Builder ticker(LongSupplier own) {
            this.ticker = own;
            return this;
        }

        public AlertMonitor build() {
            return new AlertMonitor(
                    new Watch(
                            scope,
                            store,
                            List.copyOf(probes),
                            List.copyOf(slowProbes),
                            rules.stream().collect(Collectors.toUnmodifiableMap(AlertRule::name, Function.identity())),
                            interval,
                            clock,
                            ticker),
                    sinks);
        }
    }
}
