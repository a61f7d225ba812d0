package dev.waybill.inventory.domain;

/**
 * The result of comparing one level in the gate with the database's; differences have been corrected, see the verdict.
 *
 * @param gate the number that the gate had before; -1 where it had none
 * @param gateVersion the version that the gate had before; -1 where it had none
 * @param abandoned holds that were dropped because their lease had ended
 */
record StockComparison(StockLevel level, Verdict verdict, long gate, long gateVersion, int abandoned) {

    /** How the gate's level differed from the database's. */
    enum Verdict {
        AGREES,
        /** The gate had an earlier version: usual for a moment after a commit, and after a crash. */
        BEHIND,
        /** The gate had no level, or an unreadable one. */
        LOST,
        /** The same version, another number. */
        DRIFTED,
        /** The gate has a later version, which is left as it is. */
        AHEAD
    }
}
