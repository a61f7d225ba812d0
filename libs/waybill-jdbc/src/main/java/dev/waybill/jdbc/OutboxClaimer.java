package dev.waybill.jdbc;

import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import java.util.List;
import java.util.Set;

/** Takes due rows. Two ways: lock then mark, or both in one statement where the database returns what it updates. */
sealed interface OutboxClaimer permits OutboxLockingClaimer, OutboxReturningClaimer {

    List<ClaimedRow> claim(Lease lease, ClaimLimit limit, Set<String> exceptTopics);
}
