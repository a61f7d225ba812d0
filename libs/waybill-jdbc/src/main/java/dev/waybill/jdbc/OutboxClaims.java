package dev.waybill.jdbc;

import dev.waybill.store.Hold;
import dev.waybill.store.Parcel;
import java.util.List;
import java.util.Set;

/** Takes due rows. Two ways: lock then mark, or both in one statement where the database returns what it updates. */
sealed interface OutboxClaims permits LockingClaims, ReturningClaims {

    List<Parcel> claim(Hold hold, int limit, Set<String> exceptTopics);
}
