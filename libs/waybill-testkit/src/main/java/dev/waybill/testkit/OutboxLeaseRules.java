package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Leases: they end by themselves, and a relay that lost one overwrites nothing. */
interface OutboxLeaseRules extends OutboxRules {

    @Test
    default void aClaimedRowIsHeldForItsLease() {
        appendDue(1);
        ClaimedEvent claimed = claim(1).get(0);

        assertThat(otherStore().claim(THEIRS, 10, Set.of())).isEmpty();
        assertThat(row(claimed).dueIn().toMillis()).isBetween(4_000L, 6_100L);
    }

    @Test
    default void aLeaseThatRanOutMakesTheRowDueForEveryone() {
        List<ClaimedEvent> appended = appendDue(3);
        claim(3);

        assertThat(ids(claimedByOthers(3))).containsExactlyInAnyOrderElementsOf(ids(appended));
    }

    @Test
    default void everyClaimChangesTheFence() {
        appendDue(1);
        ClaimedEvent mine = claim(1).get(0);
        ClaimedEvent theirs = claimedByOthers(1).get(0);

        assertThat(theirs.rowKey()).isEqualTo(mine.rowKey());
        assertThat(theirs.fence()).isNotEqualTo(mine.fence());
    }

    @Test
    default void aLostLeaseNeverOverwritesTheNewOwner() {
        appendDue(1);
        ClaimedEvent mine = claim(1).get(0);
        ClaimedEvent theirs = claimedByOthers(1).get(0);
        String before = row(theirs).everything();

        assertThat(store().settle(List.of(new Settlement.Sent(mine, "late")))).isZero();
        assertThat(store().settle(List.of(new Settlement.Retry(mine, Duration.ofSeconds(9), "late"))))
                .isZero();
        assertThat(store().settle(List.of(new Settlement.Dead(mine, "late")))).isZero();
        assertThat(store().settle(List.of(new Settlement.Released(mine, Duration.ZERO))))
                .isZero();
        assertThat(store().renew(MINE, List.of(mine))).isEmpty();

        assertThat(row(theirs).everything()).isEqualTo(before);
        assertThat(otherStore().settle(List.of(new Settlement.Sent(theirs, "theirs"))))
                .isEqualTo(1);
    }

    @Test
    default void ofManySettlementsOnlyThoseOfLostRowsAreLeftOut() {
        appendDue(6);
        List<ClaimedEvent> mine = claim(6);
        fixture().makeDue();
        List<ClaimedEvent> theirs = events(otherStore().claim(THEIRS, 2, Set.of()));
        assertThat(theirs).hasSize(2);
        List<Settlement> all = new ArrayList<>();
        List<ClaimedEvent> again = claim(10); // what the others left is claimed a second time
        again.forEach(row -> all.add(new Settlement.Sent(row, null)));
        mine.stream()
                .filter(row -> theirs.stream().anyMatch(other -> other.rowKey().equals(row.rowKey())))
                .forEach(row -> all.add(new Settlement.Sent(row, null)));

        assertThat(store().settle(all)).isEqualTo(4);
        assertThat(store().backlog().waiting()).isEqualTo(2);
    }

    @Test
    default void aRenewedLeaseLastsAndStillSettles() {
        appendDue(3);
        List<ClaimedEvent> claimed = claim(3);

        List<ClaimedEvent> renewed = store().renew(new Lease(MINE.token(), Duration.ofSeconds(30)), claimed);

        assertThat(ids(renewed)).isEqualTo(ids(claimed));
        assertThat(row(renewed.get(0)).dueIn()).isBetween(Duration.ofSeconds(28), Duration.ofSeconds(32));
        List<Settlement> sent = new ArrayList<>();
        renewed.forEach(row -> sent.add(new Settlement.Sent(row, null)));
        assertThat(store().settle(sent)).isEqualTo(3);
    }

    @Test
    default void theLeaseOfAHandedOffRowCanBeRenewed() {
        List<ClaimedEvent> appended = append(MINE, events(2));

        List<ClaimedEvent> renewed = store().renew(new Lease(MINE.token(), Duration.ofSeconds(30)), appended);

        assertThat(renewed).hasSize(2);
        assertThat(store().settle(List.of(new Settlement.Sent(renewed.get(1), null))))
                .isEqualTo(1);
    }

    @Test
    default void renewingReturnsTheRowsThatAreStillHeld() {
        appendDue(4);
        List<ClaimedEvent> mine = claim(4);
        store().settle(List.of(new Settlement.Sent(mine.get(0), null)));
        store().settle(List.of(new Settlement.Released(mine.get(3), Duration.ZERO)));
        assertThat(otherStore().claim(THEIRS, 10, Set.of())).hasSize(1);

        assertThat(ids(store().renew(MINE, mine))).isEqualTo(ids(mine.subList(1, 3)));
        assertThat(store().renew(MINE, List.of())).isEmpty();
    }
}
