package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the rules of the outbox store share: two relays, their leases, some events. */
interface OutboxRules {

    /** The leases differ, so that two claims within one second of a whole-second clock can be told apart. */
    Lease MINE = new Lease("relay-mine", Duration.ofSeconds(5));

    Lease THEIRS = new Lease("relay-theirs", Duration.ofSeconds(20));

    OutboxFixture fixture();

    default OutboxStore store() {
        return fixture().store();
    }

    default OutboxStore otherStore() {
        return fixture().otherStore();
    }

    /** An event that every layout can keep: its aggregate id is a number. */
    default Event event(int number) {
        return Event.builder("OrderCreated")
                .aggregate("Order", String.valueOf(900_000 + number))
                .bizKey("ORD" + number)
                .payload("{\"orderNo\":\"ORD" + number + "\"}")
                .build();
    }

    default List<Event> events(int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(event(i));
        }
        return events;
    }

    default List<ClaimedEvent> append(@Nullable Lease lease, List<Event> events) {
        return fixture().inTransaction(() -> store().append(events, lease));
    }

    /** Rows that are due now. */
    default List<ClaimedEvent> appendDue(int count) {
        return append(null, events(count));
    }

    default List<ClaimedEvent> claim(int limit) {
        return events(store().claim(MINE, limit, Set.of()));
    }

    /** Claimed rows, all of which must hold events. */
    default List<ClaimedEvent> events(List<? extends ClaimedRow> rows) {
        assertThat(rows).allSatisfy(row -> assertThat(row).isInstanceOf(ClaimedEvent.class));
        return ClaimedRow.events(rows);
    }

    /** Another relay claims everything, after the leases of its holders have run out. */
    default List<ClaimedEvent> claimedByOthers(int count) {
        fixture().makeDue();
        List<ClaimedEvent> theirs = events(otherStore().claim(THEIRS, 1_000, Set.of()));
        assertThat(theirs).hasSize(count);
        return theirs;
    }

    default OutboxFixture.StoredRow row(ClaimedRow claimed) {
        OutboxFixture.StoredRow row = fixture().row(claimed);
        assertThat(row).as("row of %s", claimed.rowKey()).isNotNull();
        return java.util.Objects.requireNonNull(row);
    }

    default List<String> ids(List<? extends ClaimedRow> rows) {
        return rows.stream().map(ClaimedRow::eventId).toList();
    }
}
