package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settlements: written together, not lost while the store is away, and never over somebody else's claim. */
@Timeout(20)
class SettlerTest {

    private final RelayParts parts = new RelayParts();

    @Test
    void allSettlementsAreWrittenWithOneCallAndTold() {
        List<ClaimedEvent> claimed = claimed(4);
        parts.settlements.add(new Settlement.Sent(claimed.get(0), "b"));
        parts.settlements.add(new Settlement.Retry(claimed.get(1), Duration.ofSeconds(5), "NACKED: no"));
        parts.settlements.add(new Settlement.Dead(claimed.get(2), "TOO_LARGE: 5 MB"));
        parts.settlements.add(new Settlement.Released(claimed.get(3), Duration.ZERO));

        parts.settler.flush();

        assertThat(parts.store.settlements).containsExactly(4);
        var backlog = parts.table.backlog();
        assertThat(backlog.sent()).isEqualTo(1);
        assertThat(backlog.retrying()).isEqualTo(1);
        assertThat(backlog.dead()).isEqualTo(1);
        assertThat(backlog.fresh()).isEqualTo(1);
        assertThat(parts.heard.all()).containsExactly("sent A-0", "retried A-1 1 PT5S", "dead A-2 1");
        assertThat(parts.reporter.released).hasValue(1);
        assertThat(parts.inFlight.all()).isEmpty();
        assertThat(parts.settlements.unsettled()).isZero();
    }

    @Test
    void aStepWritesWhatWaits() throws InterruptedException {
        parts.settlements.add(new Settlement.Sent(claimed(1).get(0), null));

        parts.settler.step();

        assertThat(parts.table.backlog().sent()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "CONFLICT"})
    void whileTheStoreIsAwayNothingIsForgotten(Reason passing) {
        ClaimedEvent claimed = claimed(1).get(0);
        parts.settlements.add(new Settlement.Sent(claimed, null));
        failOnce(passing);

        assertThatExceptionOfType(StoreException.class).isThrownBy(parts.settler::flush);
        assertThat(parts.settlements.unsettled()).isEqualTo(1);
        assertThat(parts.inFlight.all()).as("still renewed").containsExactly(claimed);
        parts.settler.flush();

        assertThat(parts.table.backlog().sent()).isEqualTo(1);
        assertThat(parts.settlements.unsettled()).isZero();
        assertThat(parts.heard.all()).containsExactly("sent A-0");
    }

    @Test
    void oneRowThatTheStoreRefusesDoesNotKeepTheOthersFromBeingSettled() {
        List<ClaimedEvent> claimed = claimed(3);
        claimed.forEach(event -> parts.settlements.add(new Settlement.Sent(event, null)));
        parts.store.beforeSettle(settlements -> {
            if (settlements.stream().anyMatch(settlement -> settlement.row() == claimed.get(1))) {
                throw WatchedOutboxStore.failure(Reason.VALUE);
            }
        });

        parts.settler.flush();

        assertThat(parts.table.backlog().sent()).isEqualTo(2);
        assertThat(parts.heard.all()).containsExactly("sent A-0", "sent A-2");
        assertThat(parts.inFlight.all()).as("its lease ends by itself").isEmpty();
        assertThat(parts.settlements.unsettled()).isZero();
    }

    @Test
    void aLostLeaseOverwritesNothingAndIsTold() {
        List<ClaimedEvent> claimed = claimed(1);
        parts.advance(RelayParts.LEASE.plusSeconds(1));
        List<ClaimedEvent> theirs = parts.claimedByAnother();
        parts.settlements.add(new Settlement.Retry(claimed.get(0), Duration.ZERO, "late"));

        parts.settler.flush();

        assertThat(parts.heard.all()).contains("lease lost 1");
        assertThat(parts.table.backlog().fresh()).isEqualTo(1);
        assertThat(parts.table.settle(List.of(new Settlement.Sent(theirs.get(0), null))))
                .isEqualTo(1);
    }

    @Test
    void theFenceIsReadWhenTheRowIsWritten() {
        ClaimedEvent claimed = claimed(1).get(0);
        parts.settlements.add(new Settlement.Sent(claimed, null));
        parts.advance(RelayParts.LEASE.plusSeconds(1));
        parts.claim(1); // this very relay takes the row again, under another fence

        parts.settler.flush();

        assertThat(parts.table.backlog().sent()).isEqualTo(1);
        assertThat(parts.heard.all()).containsExactly("sent A-0");
    }

    private List<ClaimedEvent> claimed(int count) {
        parts.appendDue("A", count);
        return parts.claim(count);
    }

    private void failOnce(Reason reason) {
        AtomicInteger calls = new AtomicInteger();
        parts.store.beforeSettle(settlements -> {
            if (calls.getAndIncrement() == 0) {
                throw WatchedOutboxStore.failure(reason);
            }
        });
    }
}
