package dev.waybill.alert;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.lifecycle.Restartable;
import dev.waybill.lifecycle.WarningThrottle;
import dev.waybill.lifecycle.Worker;
import dev.waybill.message.LogText;
import dev.waybill.store.AlertStore;
import dev.waybill.store.AlertStore.Change;
import dev.waybill.store.AlertStore.Condition;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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
    private static final int LOOKS_UNTIL_CLEARED = 3;

    private final String scope;
    private final AlertStore store;
    private final List<AlertProbe> probes;
    private final List<AlertSink> sinks;
    private final Map<String, AlertRule> rules;
    private final Duration interval;
    private final Clock clock;
    private final LongSupplier ticker;
    private final Restartable runs = new Restartable(Run::new);
    private volatile @Nullable Run last;

    private AlertMonitor(Builder parts) {
        this.scope = parts.scope;
        this.store = parts.store;
        this.probes = List.copyOf(parts.probes);
        this.sinks = List.copyOf(parts.sinks);
        this.rules = parts.rules.stream().collect(Collectors.toUnmodifiableMap(AlertRule::name, Function.identity()));
        this.interval = parts.interval;
        this.clock = parts.clock;
        this.ticker = parts.ticker;
    }

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

        private final List<RuleTracker> trackers =
                rules.values().stream().map(RuleTracker::new).toList();
        private final List<SinkQueue> queues =
                sinks.stream().map(SinkQueue::new).toList();
        private final WarningThrottle warnings = new WarningThrottle();
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
            for (SinkQueue queue : queues) {
                clean &= queue.stop(Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime())));
            }
            return clean;
        }

        private void step() throws InterruptedException {
            look();
            synchronized (bell) {
                long end = System.nanoTime() + interval.toNanos();
                for (long left = interval.toMillis();
                        !stopping && left > 0;
                        left = (end - System.nanoTime()) / 1_000_000) {
                    bell.wait(left);
                }
            }
        }

        private void look() {
            List<Reading> readings = new ArrayList<>();
            boolean complete = true;
            for (AlertProbe probe : probes) {
                complete &= read(probe, readings);
            }
            long now = ticker.getAsLong();
            for (RuleTracker tracker : trackers) {
                for (Condition condition : tracker.conditions(readings, now)) {
                    Change change = store.holds(scope, condition);
                    if (change == Change.RAISED) {
                        tell(AlertNotice.Kind.RAISED, condition);
                    } else if (change == Change.ESCALATED) {
                        tell(AlertNotice.Kind.ESCALATED, condition);
                    }
                }
            }
            if (complete) { // what could not be read may still hold
                store.clearUnseen(scope, interval.multipliedBy(LOOKS_UNTIL_CLEARED))
                        .forEach(condition -> tell(AlertNotice.Kind.CLEARED, condition));
            }
        }

        private boolean read(AlertProbe probe, List<Reading> readings) {
            try {
                readings.addAll(probe.read());
                return true;
            } catch (RuntimeException e) {
                if (warnings.isDue(System.nanoTime())) {
                    log.warn(
                            "[Alerts] A probe failed probe={} error={}",
                            probe.getClass().getSimpleName(),
                            LogText.sentence(String.valueOf(e.getMessage())));
                }
                return false;
            }
        }

        private void tell(AlertNotice.Kind kind, Condition condition) {
            AlertNotice notice = new AlertNotice(
                    kind,
                    scope,
                    condition.key(),
                    condition.rule(),
                    severity(condition),
                    condition.step(),
                    condition.detail(),
                    clock.instant());
            queues.forEach(queue -> queue.add(notice));
        }
    }

    /** An alert may be of a rule that another version of the application had. */
    private Severity severity(Condition condition) {
        AlertRule rule = rules.get(condition.rule());
        return rule == null || rule.steps().size() < condition.step()
                ? Severity.WARNING
                : rule.steps().get(condition.step() - 1).severity();
    }

    /** Puts a monitor together. */
    public static final class Builder {

        private final String scope;
        private final AlertStore store;
        private final List<AlertProbe> probes = new ArrayList<>();
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
            return new AlertMonitor(this);
        }
    }
}
