package dev.waybill.inventory.domain;

/**
 * What a comparison of gate and database found, and repaired.
 *
 * @param gate what the gate took for the database's number before; -1 where it knew nothing
 * @param abandoned holds whose lease had ended
 */
public record Finding(StockLevel level, Verdict verdict, long gate, int abandoned) {

    /** How the two stood to each other. */
    public enum Verdict {
        AGREES,
        /** The gate had not heard of the latest change; usual for a moment, and after a crash. */
        BEHIND,
        /** The gate knew nothing, or something unreadable. */
        LOST,
        /** The same version, another number. */
        DRIFTED,
        /** The gate knows a later version; left as it is. */
        AHEAD
    }
}
