package dev.waybill.alert;

import dev.waybill.alert.AlertMonitor.Watch;
import dev.waybill.lifecycle.WarningThrottle;
import dev.waybill.message.LogText;
import dev.waybill.store.AlertStore;
import dev.waybill.store.AlertStore.Condition;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One replica's looks from a start to a stop: what breaks a rule is raised, what nobody sees any more is cleared. One thread's. */
final class AlertLooks {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.alert.Alerts");
    private static final int LOOKS_UNTIL_CLEARED = 3;

    private final Watch watch;
    private final List<AlertProbe> probes;
    private final Consumer<AlertNotice> tell;
    private final List<RuleTracker> trackers;
    private final WarningThrottle unreadable = new WarningThrottle();
    private final WarningThrottle unwritable = new WarningThrottle();
    private int looks;

    AlertLooks(Watch watch, List<AlertProbe> probes, Consumer<AlertNotice> tell) {
        this.watch = watch;
        this.probes = probes;
        this.tell = tell;
        this.trackers = watch.rules().values().stream().map(RuleTracker::new).toList();
    }

    void look() {
        long begun = watch.ticker().getAsLong();
        List<Reading> readings = new ArrayList<>();
        Unread unread = new Unread();
        for (AlertProbe probe : probes) {
            read(probe, readings, unread);
        }
        looks++;
        if (unread.isEmpty()) {
            unreadable.end();
        }
        try {
            raise(readings, unread);
            if (looks >= LOOKS_UNTIL_CLEARED) {
                clear(Duration.ofNanos(watch.ticker().getAsLong() - begun), unread);
            }
            unwritable.end();
        } catch (StoreException e) {
            if (unwritable.isDue(System.nanoTime())) {
                log.warn(
                        "[Alerts] Nothing is raised and nothing cleared, because the table cannot be reached error={}",
                        LogText.sentence(e.getMessage()));
            }
        }
    }

    private void read(AlertProbe probe, List<Reading> readings, Unread unread) {
        try {
            readings.addAll(probe.read());
        } catch (RuntimeException e) {
            unread.add(probe.measures());
            if (unreadable.isDue(System.nanoTime())) {
                log.warn(
                        "[Alerts] A probe failed measures={} error={}",
                        probe.measures(),
                        LogText.sentence(e.getMessage()));
            }
        }
    }

    /** The measures of probes that failed. */
    private static final class Unread {

        private final Set<String> measures = new HashSet<>();
        private boolean unknown;

        void add(Set<String> some) {
            measures.addAll(some);
            unknown |= some.isEmpty();
        }

        boolean isEmpty() {
            return !unknown && measures.isEmpty();
        }

        /** Whether a figure of the rule may be missing; of a rule that this process does not have, any may be. */
        boolean mayBeOf(@Nullable AlertRule rule) {
            return unknown || (rule == null ? !measures.isEmpty() : measures.contains(rule.measure()));
        }
    }

    private void raise(List<Reading> readings, Unread unread) {
        long now = watch.ticker().getAsLong();
        for (RuleTracker tracker : trackers) {
            for (Condition condition : tracker.conditions(readings, !unread.mayBeOf(tracker.rule()), now)) {
                AlertStore.Change change = watch.store().holds(watch.scope(), condition);
                switch (change) {
                    case RAISED -> tell(AlertNotice.Kind.RAISED, condition);
                    case ESCALATED -> tell(AlertNotice.Kind.ESCALATED, condition);
                    case NOTHING -> {}
                }
            }
        }
    }

    /**
     * Not what could not be read, because it may still hold. Only after some looks of its own, because a process that has just
     * started does not know yet what is down. A look that takes long makes others late too, so it clears later.
     */
    private void clear(Duration took, Unread unread) {
        Duration between = took.compareTo(watch.interval()) > 0 ? took : watch.interval();
        Duration quiet = between.multipliedBy(LOOKS_UNTIL_CLEARED);
        for (Condition unseen : watch.store().unseen(watch.scope(), quiet)) {
            if (!unread.mayBeOf(watch.rules().get(unseen.rule()))
                    && watch.store().clear(watch.scope(), unseen, quiet)) {
                tell(AlertNotice.Kind.CLEARED, unseen);
            }
        }
    }

    private void tell(AlertNotice.Kind kind, Condition condition) {
        tell.accept(new AlertNotice(
                kind,
                watch.scope(),
                condition.key(),
                condition.rule(),
                severity(condition),
                condition.step(),
                condition.detail(),
                watch.clock().instant()));
    }

    /** An alert may be of a rule that another version of the application had. */
    private Severity severity(Condition condition) {
        AlertRule rule = watch.rules().get(condition.rule());
        return rule == null || rule.steps().size() < condition.step()
                ? Severity.WARNING
                : rule.steps().get(condition.step() - 1).severity();
    }
}
