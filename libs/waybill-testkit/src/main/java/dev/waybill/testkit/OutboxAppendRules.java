package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Append: rows commit and roll back with the caller's transaction, and their fence is known without reading them. */
interface OutboxAppendRules extends OutboxRules {

    @Test
    default void aCommittedAppendIsThere() {
        List<ClaimedEvent> appended = appendDue(3);

        assertThat(store().backlog().fresh()).isEqualTo(3);
        assertThat(ids(claim(10))).isEqualTo(ids(appended));
    }

    @Test
    default void aRolledBackAppendLeavesNoRow() {
        assertThatThrownBy(() -> fixture().inTransaction(() -> {
                    store().append(events(3), null);
                    throw new IllegalStateException("business says no");
                }))
                .hasMessage("business says no");

        assertThat(store().backlog().waiting()).isZero();
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void onlyRowsThatAreInTheTableHaveCommitted() {
        List<Event> events = events(5);
        List<ClaimedEvent> kept = append(MINE, events.subList(0, 3));
        List<ClaimedEvent> lost = new ArrayList<>();
        assertThatThrownBy(() -> fixture().inTransaction(() -> {
                    lost.addAll(store().append(events.subList(3, 5), MINE));
                    assertThat(otherStore().committed(lost))
                            .as("before the end")
                            .isEmpty();
                    throw new IllegalStateException("business says no");
                }))
                .hasMessage("business says no");
        List<ClaimedEvent> all = new ArrayList<>(lost);
        all.addAll(kept);

        assertThat(store().committed(all)).containsExactlyElementsOf(kept);
        assertThat(store().committed(lost)).isEmpty();
        assertThat(store().committed(List.of())).isEmpty();
    }

    @Test
    default void appendingOutsideATransactionIsAClearError() {
        assertThatExceptionOfType(NoTransactionException.class).isThrownBy(() -> store().append(events(1), null));
    }

    @Test
    default void appendingNothingDoesNothing() {
        assertThat(append(null, List.of())).isEmpty();
        assertThat(store().backlog().waiting()).isZero();
    }

    @Test
    default void aTableThatMakesIdsPutsThemIntoTheEvents() {
        List<Event> events = events(3);
        List<ClaimedEvent> appended = append(null, events);

        List<String> given = events.stream().map(Event::eventId).toList();
        if (fixture().traits().makesIds()) {
            assertThat(ids(appended)).doesNotContainAnyElementsOf(given).doesNotHaveDuplicates();
        } else {
            assertThat(ids(appended)).isEqualTo(given);
        }
    }

    @Test
    default void aHandedOffRowIsNotClaimedByOthersDuringItsLease() {
        ClaimedEvent appended = append(MINE, events(1)).get(0);

        assertThat(otherStore().claim(THEIRS, 10, Set.of())).isEmpty();
        assertThat(row(appended).dueIn().toMillis()).isBetween(3_000L, 6_100L);
    }

    @Test
    default void aHandedOffEventKnowsItsFenceWithoutReadingTheRow() {
        List<ClaimedEvent> appended = append(MINE, events(3));

        int written = store().settle(List.of(
                new Settlement.Sent(appended.get(0), "b0"),
                new Settlement.Sent(appended.get(1), null),
                new Settlement.Sent(appended.get(2), "b2")));

        assertThat(written).isEqualTo(3);
        assertThat(row(appended.get(2)).state()).isEqualTo(OutboxFixture.RowState.SENT);
    }

    @Test
    default void aHandedOffEventThatAnotherRelayClaimedIsNotSettled() {
        List<ClaimedEvent> appended = append(MINE, events(1));
        ClaimedEvent theirs = claimedByOthers(1).get(0);

        assertThat(store().settle(List.of(new Settlement.Sent(appended.get(0), "late"))))
                .isZero();
        assertThat(otherStore().settle(List.of(new Settlement.Sent(theirs, "theirs"))))
                .isEqualTo(1);
    }

    @Test
    default void theSameEventTwiceIsADuplicate() {
        Event once = event(1);
        append(null, List.of(once));
        if (fixture().traits().refusesRepeats()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> append(null, List.of(once)))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.DUPLICATE));
        } else {
            append(null, List.of(once));
            assertThat(store().backlog().fresh()).isEqualTo(2);
        }
    }

    @Test
    default void aValueThatDoesNotFitIsRefused() {
        Event tooLong = event(1).toBuilder().bizKey("k".repeat(5_000)).build();
        if (fixture().traits().keepsBizKey()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> append(null, List.of(tooLong)))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.VALUE));
        } else {
            append(null, List.of(tooLong));
            assertThat(claim(1).get(0).event().bizKey()).isEqualTo(tooLong.bizKey());
        }
    }
}
