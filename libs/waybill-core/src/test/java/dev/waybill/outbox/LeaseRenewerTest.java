package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.StoreException.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Leases of what is in flight: renewed in time, lost in plain sight. No clock runs here but the test's. */
class LeaseRenewerTest {

    private static final Duration THIRD = RelayParts.LEASE.dividedBy(3);

    private final RelayParts parts = new RelayParts();

    @Test
    void aLeaseIsRenewedOnceAThirdOfItIsOver() {
        ClaimedEvent claimed = claimed(1).get(0);

        parts.advance(THIRD);
        parts.leases.renewDue();
        assertThat(parts.store.renewals).isEmpty();

        parts.advance(THIRD);
        parts.leases.renewDue();
        assertThat(parts.store.renewals).containsExactly(1);
        assertThat(claimed.leaseLeft(parts.hooks.now())).isEqualTo(RelayParts.LEASE.toNanos());
    }

    @Test
    void aRenewedRowStaysOursWhenItsFirstLeaseWouldHaveEnded() {
        claimed(1);
        parts.advance(THIRD.multipliedBy(2));
        parts.leases.renewDue();

        parts.advance(THIRD.multipliedBy(2));

        assertThat(parts.claimedByAnother()).isEmpty();
        parts.advance(THIRD);
        assertThat(parts.claimedByAnother()).as("nobody renewed it since").hasSize(1);
    }

    @Test
    void leasesAreNotLookedAtAgainAndAgain() {
        claimed(1);
        parts.advance(THIRD.multipliedBy(2));
        parts.store.beforeRenew(() -> {
            throw WatchedOutboxStore.failure(Reason.UNAVAILABLE);
        });

        for (int i = 0; i < 100; i++) {
            parts.leases.renewDue();
            parts.advance(THIRD.dividedBy(401));
        }

        assertThat(parts.store.renewals).hasSize(1);
    }

    @Test
    void aRowThatSomebodyElseTookIsLostAndNotAskedForAgain() {
        List<ClaimedEvent> claimed = claimed(2);
        parts.inFlight.remove(claimed.get(1));
        parts.advance(RelayParts.LEASE.plusSeconds(1));
        assertThat(parts.claimedByAnother()).hasSize(2);

        parts.leases.renewDue();
        parts.advance(THIRD);
        parts.leases.renewDue();

        assertThat(parts.store.renewals).as("the settled one is not asked for").containsExactly(1);
        assertThat(claimed.get(0).isLost()).isTrue();
        assertThat(claimed.get(0).leaseLeft(parts.hooks.now())).isZero();
        assertThat(claimed.get(1).isLost()).isFalse();
    }

    @Test
    void aStoreThatDoesNotAnswerCostsNoLeaseThatCanStillBeRenewed() {
        ClaimedEvent claimed = claimed(1).get(0);
        parts.store.beforeRenew(() -> {
            throw WatchedOutboxStore.failure(Reason.UNAVAILABLE);
        });
        parts.advance(THIRD.multipliedBy(2));
        parts.leases.renewDue();
        assertThat(claimed.isLost()).isFalse();
        assertThat(claimed.leaseLeft(parts.hooks.now())).isEqualTo(THIRD.toNanos());

        parts.store.beforeRenew(() -> {});
        parts.advance(THIRD.dividedBy(2));
        parts.leases.renewDue();

        assertThat(parts.store.renewals).containsExactly(1, 1);
        assertThat(claimed.leaseLeft(parts.hooks.now())).isEqualTo(RelayParts.LEASE.toNanos());
    }

    @Test
    void manyLeasesAreRenewedInChunks() {
        claimed(1_100);
        parts.advance(THIRD.multipliedBy(2));

        parts.leases.renewDue();

        assertThat(parts.store.renewals).containsExactly(500, 500, 100);
        assertThat(parts.inFlight.all())
                .allSatisfy(
                        event -> assertThat(event.leaseLeft(parts.hooks.now())).isEqualTo(RelayParts.LEASE.toNanos()));
    }

    private List<ClaimedEvent> claimed(int count) {
        parts.appendDue("A", count);
        return parts.claim(count);
    }
}
