package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.store.Hold;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Parcel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the rules of the outbox store share: two relays, their leases, some events. */
interface OutboxScene {

    /** The leases differ, so that two claims within one second of a whole-second clock can be told apart. */
    Hold MINE = new Hold("relay-mine", Duration.ofSeconds(5));

    Hold THEIRS = new Hold("relay-theirs", Duration.ofSeconds(20));

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

    default List<Parcel> append(@Nullable Hold hold, List<Event> events) {
        return fixture().inTransaction(() -> store().append(events, hold));
    }

    /** Rows that are due now. */
    default List<Parcel> appendDue(int count) {
        return append(null, events(count));
    }

    default List<Parcel> claim(int limit) {
        return store().claim(MINE, limit, Set.of());
    }

    /** Another process takes everything after its holders lost it. */
    default List<Parcel> takenOver(int count) {
        fixture().makeDue();
        List<Parcel> theirs = otherStore().claim(THEIRS, 1_000, Set.of());
        assertThat(theirs).hasSize(count);
        return theirs;
    }

    default OutboxFixture.StoredRow row(Parcel parcel) {
        OutboxFixture.StoredRow row = fixture().row(parcel);
        assertThat(row).as("row of %s", parcel.rowKey()).isNotNull();
        return java.util.Objects.requireNonNull(row);
    }

    default List<String> ids(List<Parcel> parcels) {
        return parcels.stream().map(parcel -> parcel.event().eventId()).toList();
    }
}
