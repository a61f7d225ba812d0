package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.running.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InProcessIdempotencyStoreTest implements IdempotencyStoreContract {

    private final ManualTime time = new ManualTime();
    private final InProcessIdempotencyStore keys = new InProcessIdempotencyStore(1000, time);

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
        InProcessIdempotencyStore small = new InProcessIdempotencyStore(10, time);
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
}
