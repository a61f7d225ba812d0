package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.guard.boot.BoundedExpiringMap.Bounds;
import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import dev.waybill.guard.running.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InProcessIdempotencyStoreTest implements IdempotencyStoreContract {

    private final ManualTime time = new ManualTime();
    private final InProcessIdempotencyStore keys = new InProcessIdempotencyStore(new Bounds(1000, 10_000), time);

    @Override
    public IdempotencyStore store() {
        return keys;
    }

    @Override
    public void expire(KeyedRequest keyed) {
        time.advance(DAY);
    }

    @Test
    void aFullStoreRefusesNewKeysRatherThanForgettingOld() {
        InProcessIdempotencyStore small = new InProcessIdempotencyStore(new Bounds(10, 10_000), time);
        for (int i = 0; i < 10; i++) {
            small.claim(new KeyedRequest("k" + i, "p", "t"), LEASE);
        }
        assertThatThrownBy(() -> small.claim(new KeyedRequest("k10", "p", "t"), LEASE))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(StoreUnavailableException.Reason.FULL));
        assertThat(small.claim(new KeyedRequest("k3", "p", "t"), LEASE)).isInstanceOf(KeyClaim.StillRunning.class);
        time.advance(LEASE);
        assertThat(small.claim(new KeyedRequest("k10", "p", "t"), LEASE)).isInstanceOf(Claimed.class);
        assertThat(small.size()).isEqualTo(1);
    }

    @Test
    void expiredKeysAreSweptWithoutBeingAskedFor() {
        for (int i = 0; i < 5000; i++) {
            keys.claim(new KeyedRequest("k" + i, "p", "t"), Duration.ofSeconds(1));
            time.advance(Duration.ofMillis(10));
        }
        assertThat(keys.size()).isLessThan(1000);
    }

    @Test
    void resultsTogetherNeverExceedTheirBytesAndNoRequestRunsAgainForThat() {
        InProcessIdempotencyStore small = new InProcessIdempotencyStore(new Bounds(1000, 1000), time);
        StoredResult result = new StoredResult("x".repeat(200), 200);
        for (int i = 0; i < 10; i++) {
            KeyedRequest keyed = new KeyedRequest("k" + i, "p", "t");
            assertThat(small.complete(keyed, (Claimed) small.claim(keyed, LEASE), result, DAY))
                    .isTrue();
            assertThat(small.resultBytes()).isLessThanOrEqualTo(1000);
            assertThat(small.claim(keyed, LEASE))
                    .isEqualTo(new KeyClaim.Completed(i < 2 ? result : new StoredResult(null, 200)));
        }
        time.advance(DAY);
        KeyedRequest later = new KeyedRequest("later", "p", "t");
        small.complete(later, (Claimed) small.claim(later, LEASE), result, DAY);
        assertThat(small.claim(later, LEASE)).isEqualTo(new KeyClaim.Completed(result));
        assertThat(small.resultBytes()).isEqualTo(400);
    }

    @Test
    void aLateFinisherGivesItsBytesBack() {
        KeyedRequest keyed = new KeyedRequest("late", "p", "t");
        Claimed late = (Claimed) keys.claim(keyed, LEASE);
        time.advance(LEASE);
        keys.claim(keyed, LEASE);
        assertThat(keys.complete(keyed, late, new StoredResult("x", 200), DAY)).isFalse();
        assertThat(keys.resultBytes()).isZero();
    }
}
