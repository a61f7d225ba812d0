package dev.waybill.testkit;

import static dev.waybill.testkit.OutboxFixture.RowState.DEAD;
import static dev.waybill.testkit.OutboxFixture.RowState.RETRYING;
import static dev.waybill.testkit.OutboxFixture.RowState.SENT;
import static dev.waybill.testkit.OutboxFixture.RowState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.EventFilter;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sweep: what is settled, and what was written down about it, goes once it is old; what waits or is DEAD stays. */
interface OutboxSweepRules extends OutboxRules {

    Duration SWEPT_AGE = Duration.ofHours(1);
    OperatorDecision SWEPT_DECISION = new OperatorDecision("ann", "tidy up");

    @Test
    default void onlyRowsThatAreSettledAndOldAreSwept() {
        appendDue(4);
        List<ClaimedEvent> claimed = claim(4);
        store().settle(List.of(
                new Settlement.Sent(claimed.get(0), null),
                new Settlement.Dead(claimed.get(1), "no such topic"),
                new Settlement.Retry(claimed.get(2), Duration.ofMinutes(1), "busy")));
        fixture().makeOld();
        ClaimedEvent young = sent(11);

        assertThat(store().sweepSettled(SWEPT_AGE, 100)).isEqualTo(1);

        assertThat(fixture().row(claimed.get(0))).isNull();
        assertThat(row(claimed.get(1)).state()).isEqualTo(DEAD);
        assertThat(row(claimed.get(2)).state()).isEqualTo(RETRYING);
        assertThat(row(claimed.get(3)).state()).isEqualTo(WAITING);
        assertThat(row(young).state()).isEqualTo(SENT);
        assertThat(store().sweepSettled(SWEPT_AGE, 100)).isZero();
    }

    @Test
    default void aSweepTakesNoMoreThanItsLimitAndTheNextOnesTheRest() {
        appendDue(30);
        store().settle(claim(30).stream()
                .<Settlement>map(row -> new Settlement.Sent(row, null))
                .toList());
        fixture().makeOld();

        assertThat(store().sweepSettled(SWEPT_AGE, 7)).isEqualTo(7);
        assertThat(otherStore().sweepSettled(SWEPT_AGE, 8)).isEqualTo(8);
        assertThat(store().sweepSettled(SWEPT_AGE, 100)).isEqualTo(15);
        assertThat(store().backlog().sent()).isZero();
    }

    @Test
    default void aDiscardedRowThatStayedIsSweptToo() {
        ClaimedEvent dead = dead(1);
        store().discard(List.of(dead.eventId()), SWEPT_DECISION);
        fixture().makeOld();

        assertThat(store().sweepSettled(SWEPT_AGE, 100))
                .isEqualTo(fixture().traits().discardKeepsRow() ? 1 : 0);
        assertThat(fixture().row(dead)).isNull();
    }

    @Test
    default void whatIsDeadIsSweptByAnAgeOfItsOwn() {
        ClaimedEvent old = dead(1);
        ClaimedEvent alsoOld = dead(2);
        ClaimedEvent requeued = dead(3);
        store().requeue(List.of(requeued.eventId()), SWEPT_DECISION);
        fixture().makeOld();
        ClaimedEvent young = dead(4);

        assertThat(store().sweepDead(SWEPT_AGE, 1)).isEqualTo(1);
        assertThat(otherStore().sweepDead(SWEPT_AGE, 100)).isEqualTo(1);

        assertThat(fixture().row(old)).isNull();
        assertThat(fixture().row(alsoOld)).isNull();
        assertThat(row(young).state()).isEqualTo(DEAD);
        assertThat(row(requeued).state()).isEqualTo(WAITING);
        assertThat(store().sweepDead(SWEPT_AGE, 100)).isZero();
    }

    @Test
    default void errorsOfSendsAreSweptOnceTheirEventsAreSettled() {
        appendDue(2);
        store().settle(claim(2).stream()
                .<Settlement>map(row -> new Settlement.Retry(row, Duration.ZERO, "busy"))
                .toList());
        fixture().makeDue();
        List<ClaimedEvent> claimed = claim(2);
        store().settle(List.of(new Settlement.Sent(claimed.get(0), null), new Settlement.Dead(claimed.get(1), "gone")));
        assertThat(fixture().attemptRecords()).isEqualTo(3);
        assertThat(store().sweepAttempts(SWEPT_AGE, 100)).as("not old yet").isZero();
        fixture().makeOld();
        boolean told = fixture().reader().fields().contains(EventFilter.Field.EVENT_ID); // else the age alone decides

        assertThat(store().sweepAttempts(SWEPT_AGE, 100)).isEqualTo(told ? 1 : 3);

        assertThat(row(claimed.get(1)).error()).as("a person still needs it").isEqualTo("gone");
        assertThat(fixture().attemptRecords()).isEqualTo(told ? 2 : 0);
        store().discard(List.of(claimed.get(1).eventId()), SWEPT_DECISION);
        assertThat(store().sweepAttempts(SWEPT_AGE, 1)).isEqualTo(told ? 1 : 0);
        assertThat(store().sweepAttempts(SWEPT_AGE, 100)).isEqualTo(told ? 1 : 0);
    }

    @Test
    default void decisionsAreSweptOnceTheyAreOld() {
        store().discard(List.of(dead(1).eventId()), SWEPT_DECISION);
        store().discard(List.of(dead(2).eventId()), SWEPT_DECISION);
        fixture().makeOld();
        String young = dead(3).eventId();
        store().discard(List.of(young), SWEPT_DECISION);

        assertThat(store().sweepAudit(SWEPT_AGE, 1)).isEqualTo(1);
        assertThat(store().sweepAudit(SWEPT_AGE, 100)).isEqualTo(1);

        assertThat(fixture().audit()).containsExactly("DISCARD ann tidy up " + young);
        assertThat(store().sweepAudit(SWEPT_AGE, 100)).isZero();
    }

    private ClaimedEvent sent(int number) {
        ClaimedEvent claimed = claimed(number);
        store().settle(List.of(new Settlement.Sent(claimed, null)));
        return claimed;
    }

    private ClaimedEvent dead(int number) {
        ClaimedEvent claimed = claimed(number);
        store().settle(List.of(new Settlement.Dead(claimed, "no such topic")));
        return claimed;
    }

    /** A row of its own, claimed; leases of earlier ones may have run out meanwhile. */
    private ClaimedEvent claimed(int number) {
        String id = append(null, List.of(event(number))).get(0).eventId();
        return claim(10).stream()
                .filter(row -> row.eventId().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
