package dev.waybill.lifecycle;

/**
 * The named places of the main flow, told as they are passed. Production ignores them; a test makes the process or the
 * thread die there and shows that nothing is lost.
 */
@FunctionalInterface
public interface Checkpoints {

    /** Ignores every place. */
    Checkpoints NONE = place -> {};

    void reached(Place place);

    /** Every arrow of the main flow at which a crash must be harmless. */
    enum Place {
        /** Rows are in the caller's transaction, which has not committed. */
        APPENDED,
        /** The caller's transaction committed; nothing is handed off yet. */
        COMMITTED,
        /** The relay has the events in memory. */
        HANDED_OFF,
        /** The relay took rows from the table. */
        CLAIMED,
        /** A batch is about to go to the broker. */
        SENDING,
        /** A batch went to the broker; no answer yet. */
        SENT_OFF,
        /** The broker answered; the row does not know. */
        ANSWERED,
        /** Settlements are about to be written. */
        SETTLING,
        /** Settlements are written. */
        SETTLED,
        /** The inbox admitted an event; its handler has not run. */
        ADMITTED,
        /** The handler returned; its transaction has not committed. */
        HANDLED,
        /** The handler's transaction committed; the broker does not know. */
        CONSUMED
    }
}
