package dev.waybill.marketplace.domain;

import java.time.Instant;
import java.util.Optional;

/** Stores buyers' credit. Writes belong to the caller's transaction. */
public interface CreditRepository {

    /**
     * Inserts the buyer's row if there is none.
     *
     * @throws org.springframework.dao.DuplicateKeyException when another transaction inserts it at the same time
     */
    void open(long buyerId, Instant now);

    /** Counts the buyer's cancelled orders again. The row is locked, so that two cancels of one buyer count one after the other. */
    void recompute(long buyerId, Instant now);

    Optional<Credit> find(long buyerId);
}
