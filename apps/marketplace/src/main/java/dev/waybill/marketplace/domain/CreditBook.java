package dev.waybill.marketplace.domain;

import java.time.Instant;
import java.util.Optional;

/** Buyers' credit, stored. Writes belong to the caller's transaction. */
public interface CreditBook {

    /** Makes the buyer's row if there is none. Somebody else may do so at the same moment: then a duplicate key is thrown. */
    void open(long buyerId, Instant now);

    /** Counts the buyer's cancelled orders anew; one at a time for each buyer. */
    void recompute(long buyerId, Instant now);

    Optional<Credit> find(long buyerId);
}
