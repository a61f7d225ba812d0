package dev.waybill.starter.admin;

import dev.waybill.store.OutboxStore.Backlog;
import dev.waybill.store.PauseStore.PausedPart;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What people see of the application and of the process that answers them. */
final class ProcessView {

    private ProcessView() {}

    /** Who paused a part, and why. */
    record PauseView(String actor, String reason, Instant since) {

        static @Nullable PauseView of(@Nullable PausedPart part) {
            return part == null
                    ? null
                    : new PauseView(part.decision().actor(), part.decision().reason(), part.since());
        }
    }

    /**
     * What the outbox's table holds.
     *
     * @param sent counted up to a limit
     * @param oldestDueSeconds how long the longest-due row has been due
     */
    record OutboxCounts(long fresh, long retrying, long sent, long dead, double oldestDueSeconds) {

        static OutboxCounts of(Backlog backlog) {
            return new OutboxCounts(
                    backlog.fresh(),
                    backlog.retrying(),
                    backlog.sent(),
                    backlog.dead(),
                    backlog.oldestDue().toMillis() / 1000.0);
        }
    }

    /**
     * The relay of this process.
     *
     * @param sending whether it runs and its broker can be reached
     * @param paused who paused it everywhere; null while nobody has
     * @param destinationsDown destinations that take no messages
     */
    record RelayState(
            boolean sending,
            @Nullable PauseView paused,
            @Nullable String obstacle,
            Set<String> destinationsDown,
            int waiting,
            int inFlight) {}

    /**
     * A subscription of this process.
     *
     * @param receiving whether it receives in this process
     * @param paused who paused it everywhere; null while nobody has
     * @param lag messages that wait at the broker, where it is asked for them
     */
    record ConsumerLine(
            String source,
            String group,
            Set<String> types,
            boolean receiving,
            @Nullable PauseView paused,
            @Nullable String obstacle,
            @Nullable Long lag) {}

    /**
     * All on one page; null for what this process does not have.
     *
     * @param searchable what events can be searched by
     */
    record Overview(
            String application,
            @Nullable OutboxCounts outbox,
            @Nullable Set<String> searchable,
            @Nullable RelayState relay,
            List<ConsumerLine> consumers,
            @Nullable Long openLetters,
            @Nullable Long alertsRaised) {}
}
