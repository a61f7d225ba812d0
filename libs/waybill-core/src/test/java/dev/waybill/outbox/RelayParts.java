package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.memory.MemoryOutboxStore;
import dev.waybill.memory.MemoryTransactions;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import dev.waybill.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A relay's parts, connected as {@link Relay} connects them, over a table in memory and clocks that the test moves. */
final class RelayParts {

    static {
        // conditions hold within milliseconds here, and a hundred tests that look every 100 ms take long
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(Duration.ofMillis(5));
    }

    static final Duration LEASE = Duration.ofSeconds(6);
    static final Lease MINE = new Lease("mine", LEASE);
    static final Lease THEIRS = new Lease("theirs", LEASE);

    final ManualClock clock = ManualClock.at("2026-01-01T00:00:00Z");
    final AtomicLong ticker = new AtomicLong(1);
    final RelayHooks hooks = new RelayHooks(ticker::get, Checkpoints.NONE);
    final MemoryTransactions transactions = new MemoryTransactions(clock);
    final MemoryOutboxStore table = new MemoryOutboxStore(transactions);
    final WatchedOutboxStore store = new WatchedOutboxStore(table);
    final HeardByListener heard = new HeardByListener();
    final RelayReporter reporter = new RelayReporter(heard);
    final Breakers breakers = new Breakers(reporter);
    final SettlementQueue settlements = new SettlementQueue(1_000, Duration.ofMillis(1));
    final SendQueue queue = new SendQueue(100);
    final InFlightEvents inFlight = new InFlightEvents(MINE, queue, 4 << 20);
    final LeaseRenewer leases = new LeaseRenewer(store, inFlight, hooks);
    final Settler settler = new Settler(store, settlements, inFlight, leases, reporter, hooks);

    Claimer claimer(RelaySettings settings) {
        return new Claimer(store, settings.withLease(LEASE), inFlight, settlements, breakers, hooks);
    }

    /** Moves the table's clock and the relay's together, as time does. */
    void advance(Duration by) {
        clock.advance(by);
        ticker.addAndGet(by.toNanos());
    }

    /** Adds rows that are due now, with the ids topic-0, topic-1 … */
    void appendDue(String topic, int count) {
        append(null, topic, count);
    }

    List<ClaimedEvent> append(@Nullable Lease lease, String topic, int count) {
        return transactions.inTransaction(() -> store.append(events(topic, count), lease));
    }

    static List<Event> events(String topic, int count) {
        return IntStream.range(0, count).mapToObj(i -> event(topic, i)).toList();
    }

    static Event event(String topic, int number) {
        return Event.builder("OrderCreated")
                .eventId(topic + "-" + number)
                .destination(Destination.of(topic))
                .build();
    }

    /** Claims due rows for this relay, as its claimer does. */
    List<ClaimedEvent> claim(int limit) {
        List<ClaimedEvent> claimed = ClaimedRow.events(table.claim(MINE, limit, Set.of()));
        claimed.forEach(event -> inFlight.addClaimed(event, hooks.now()));
        return claimed;
    }

    /** Another relay takes whatever is due. */
    List<ClaimedEvent> claimedByAnother() {
        return ClaimedRow.events(table.claim(THEIRS, 1_000, Set.of()));
    }

    List<Settlement> takeSettlements() {
        List<Settlement> all = new ArrayList<>();
        settlements.takeInto(all, Integer.MAX_VALUE);
        return all;
    }
}
