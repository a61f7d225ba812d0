package dev.waybill.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is raised, for all replicas of an application together. No replica leads: whoever changes a row first tells people, the
 * others find it changed. A process that dies between the change and the telling keeps its news to itself; the row says it.
 */
public interface AlertStore {

    /**
     * A condition that holds.
     *
     * @param key names it within its scope
     * @param rule the rule that it broke
     * @param step how bad it is, from 1
     * @param detail one sentence for people
     */
    record Condition(String key, String rule, int step, String detail) {

        public Condition {
            if (step < 1) {
                throw new IllegalArgumentException("steps count from 1, was " + step);
            }
        }
    }

    /**
     * An alert as it is stored.
     *
     * @param clearedAt null while it is raised
     */
    record StoredAlert(
            Condition condition, Instant raisedAt, @Nullable Instant clearedAt) {}

    /** What a call changed, and so what its caller has to tell. */
    enum Change {
        RAISED,
        ESCALATED,
        /** It was raised already, at this step or a higher one. */
        NOTHING
    }

    /**
     * Says that a condition holds now, as this replica sees it.
     *
     * @return for all replicas together RAISED once, ESCALATED once for each higher step, NOTHING otherwise
     */
    Change holds(String scope, Condition condition);

    /** What is raised although no replica has seen it for so long. */
    List<Condition> unseen(String scope, Duration quiet);

    /**
     * Clears what is still unseen: while one replica sees it, it stays raised.
     *
     * @return whether this call cleared it and no other did
     */
    boolean clear(String scope, Condition unseen, Duration quiet);

    /** What is raised or was, latest first. */
    List<StoredAlert> list(String scope, int limit);
}
