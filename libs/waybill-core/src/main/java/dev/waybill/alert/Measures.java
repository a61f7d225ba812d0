package dev.waybill.alert;

import java.util.Set;

/** What the probes here measure. Others may have names of their own. */
public final class Measures {

    /** Rows that were never tried and wait although the longest-due one is overdue: a busy relay that keeps up has none. */
    public static final String OVERDUE = "outbox.overdue";

    /** Rows that failed at least once and will be tried again. */
    public static final String RETRYING = "outbox.retrying";

    /** For how many seconds the longest-due row has been due. */
    public static final String OLDEST_DUE = "outbox.oldest-due";

    /** Rows that were given up, by type and topic; the detail names the group of their errors. */
    public static final String DEAD = "outbox.dead";

    /** Sends that failed in this process since its start, by type and topic: for rules by rate. */
    public static final String FAILED_SENDS = "outbox.failed-sends";

    /** Deliveries that failed in this process since its start, by type: for rules by rate. */
    public static final String FAILED_DELIVERIES = "inbox.failed-deliveries";

    /** Messages that wait at the broker, by queue, or by topic and group. */
    public static final String BROKER_BACKLOG = "broker.backlog";

    /** 1 for a topic, or {@code *} for the whole broker, that takes no messages now. */
    public static final String DESTINATION_DOWN = "destination.down";

    /** Dead letters that nobody has settled. */
    public static final String OPEN_LETTERS = "dead-letters.open";

    /** All of these. */
    public static final Set<String> ALL = Set.of(
            OVERDUE,
            RETRYING,
            OLDEST_DUE,
            DEAD,
            FAILED_SENDS,
            FAILED_DELIVERIES,
            BROKER_BACKLOG,
            DESTINATION_DOWN,
            OPEN_LETTERS);

    private Measures() {}
}
