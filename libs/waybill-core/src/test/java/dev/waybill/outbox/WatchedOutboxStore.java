package dev.waybill.outbox;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes every call on, remembers the relay's, and fails where the test says so. */
final class WatchedOutboxStore implements OutboxStore {

    /** How many rows each claim asked for. */
    final List<Integer> claimLimits = new CopyOnWriteArrayList<>();

    /** How many rows each claim got. */
    final List<Integer> claimed = new CopyOnWriteArrayList<>();

    /** How many leases each renewal was asked for. */
    final List<Integer> renewals = new CopyOnWriteArrayList<>();

    /** How many settlements each call was given. */
    final List<Integer> settlements = new CopyOnWriteArrayList<>();

    /** Ids of events whose rows a committed transaction has lost. */
    final Set<String> lost = ConcurrentHashMap.newKeySet();

    private final OutboxStore store;
    private volatile Runnable beforeClaim = () -> {};
    private volatile Runnable beforeCommitCheck = () -> {};
    private volatile Runnable beforeRenew = () -> {};
    private volatile Consumer<List<Settlement>> beforeSettle = settlements -> {};

    WatchedOutboxStore(OutboxStore store) {
        this.store = store;
    }

    static StoreException failure(StoreException.Reason reason) {
        return new StoreException(reason, "scripted", null);
    }

    void beforeClaim(Runnable action) {
        beforeClaim = action;
    }

    void beforeCommitCheck(Runnable action) {
        beforeCommitCheck = action;
    }

    void beforeRenew(Runnable action) {
        beforeRenew = action;
    }

    void beforeSettle(Consumer<List<Settlement>> action) {
        beforeSettle = action;
    }

    /** Rows that came from the table and not by the hand-off. */
    int rowsClaimed() {
        return claimed.stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public List<ClaimedEvent> append(List<Event> events, @Nullable Lease lease) {
        return store.append(events, lease);
    }

    @Override
    public List<ClaimedEvent> committed(List<ClaimedEvent> appended) {
        beforeCommitCheck.run();
        return store.committed(appended).stream()
                .filter(event -> !lost.contains(event.eventId()))
                .toList();
    }

    @Override
    public List<ClaimedRow> claim(Lease lease, ClaimLimit limit, Set<String> exceptTopics) {
        beforeClaim.run();
        claimLimits.add(limit.rows());
        List<ClaimedRow> rows = store.claim(lease, limit, exceptTopics);
        claimed.add(rows.size());
        return rows;
    }

    @Override
    public List<ClaimedEvent> renew(Lease lease, List<ClaimedEvent> claimedEvents) {
        renewals.add(claimedEvents.size());
        beforeRenew.run();
        return store.renew(lease, claimedEvents);
    }

    @Override
    public int settle(List<Settlement> given) {
        settlements.add(given.size());
        beforeSettle.accept(given);
        return store.settle(given);
    }

    @Override
    public Backlog backlog() {
        return store.backlog();
    }

    @Override
    public List<DeadEvent> dead(int limit) {
        return store.dead(limit);
    }

    @Override
    public List<DeadSummary> deadSummaries(int limit, @Nullable String after) {
        return store.deadSummaries(limit, after);
    }

    @Override
    public int requeue(List<String> eventIds, OperatorDecision decision) {
        return store.requeue(eventIds, decision);
    }

    @Override
    public boolean edit(String eventId, String payload, OperatorDecision decision) {
        return store.edit(eventId, payload, decision);
    }

    @Override
    public int discard(List<String> eventIds, OperatorDecision decision) {
        return store.discard(eventIds, decision);
    }

    @Override
    public int sweepSettled(Duration olderThan, int limit) {
        return store.sweepSettled(olderThan, limit);
    }

    @Override
    public int sweepAttempts(Duration olderThan, int limit) {
        return store.sweepAttempts(olderThan, limit);
    }

    @Override
    public int sweepDead(Duration olderThan, int limit) {
        return store.sweepDead(olderThan, limit);
    }

    @Override
    public int sweepAudit(Duration olderThan, int limit) {
        return store.sweepAudit(olderThan, limit);
    }

    @Override
    public void verify() {
        store.verify();
    }
}
