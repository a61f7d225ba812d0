package dev.waybill.guard.idempotent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.guard.idempotent.Claim.Claimed;
import dev.waybill.guard.running.ManualTime;
import dev.waybill.guard.store.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InProcessKeysTest implements IdempotencyStoreContract {

    private final ManualTime time = new ManualTime();
    private final InProcessKeys keys = new InProcessKeys(1000, time);

    @Override
    public IdempotencyStore store() {
        return keys;
    }

    @Override
    public void expire(Subject subject) {
        time.advance(DAY);
    }

    @Test
    void aFullStoreRefusesNewKeysRatherThanForgettingOld() {
        InProcessKeys small = new InProcessKeys(10, time);
        for (int i = 0; i < 10; i++) {
            small.claim(new Subject("k" + i, "p", "t"), LEASE);
        }
        assertThatThrownBy(() -> small.claim(new Subject("k10", "p", "t"), LEASE))
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(StoreUnavailableException.Reason.FULL));
        assertThat(small.claim(new Subject("k3", "p", "t"), LEASE)).isInstanceOf(Claim.InProgress.class);
        time.advance(LEASE);
        assertThat(small.claim(new Subject("k10", "p", "t"), LEASE)).isInstanceOf(Claimed.class);
        assertThat(small.size()).isEqualTo(1);
    }

    @Test
    void expiredKeysAreSweptWithoutBeingAskedFor() {
        for (int i = 0; i < 5000; i++) {
            keys.claim(new Subject("k" + i, "p", "t"), Duration.ofSeconds(1));
            time.advance(Duration.ofMillis(10));
        }
        assertThat(keys.size()).isLessThan(1000);
    }
}
