package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.boot.TakeResult.Granted;
import dev.waybill.guard.boot.TakeResult.Refused;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every store of buckets promises. Rates are slow, so that real time between two steps doesn't matter. */
interface BucketStoreContract {

    /** One token in a hundred seconds. */
    TokenBucket SLOW = new TokenBucket(0.01, 10);

    BucketStore store();

    /** Lets time pass for this bucket. */
    void pass(String key, Duration time);

    static String key() {
        return "ratelimit:test:" + UUID.randomUUID();
    }

    @Test
    default void aNewBucketIsFull() {
        String key = key();
        for (int i = 9; i >= 0; i--) {
            assertThat(store().take(key, SLOW, 1, 1)).isEqualTo(new Granted(1, i));
        }
        assertThat(store().take(key, SLOW, 1, 1)).isInstanceOf(Refused.class);
    }

    @Test
    default void aRefusalTakesNothingAndSaysWhenToComeBack() {
        String key = key();
        store().take(key, SLOW, 8, 8);
        Refused refused = (Refused) store().take(key, SLOW, 5, 5);
        assertThat(refused.remaining()).isEqualTo(2);
        assertThat(refused.retryAfterMillis()).isBetween(290_000L, 300_000L);
        assertThat(store().take(key, SLOW, 2, 2)).isEqualTo(new Granted(2, 0));
    }

    @Test
    default void tokensComeBackWithTimeUpToTheCapacity() {
        String key = key();
        store().take(key, SLOW, 10, 10);
        pass(key, Duration.ofSeconds(250));
        assertThat(store().take(key, SLOW, 2, 2)).isEqualTo(new Granted(2, 0));
        assertThat(store().take(key, SLOW, 1, 1)).isInstanceOf(Refused.class);
        pass(key, Duration.ofHours(10));
        assertThat(store().take(key, SLOW, 10, 10)).isEqualTo(new Granted(10, 0));
    }

    @Test
    default void aSliceIsWhatIsWantedOrWhatIsThere() {
        String key = key();
        assertThat(store().take(key, SLOW, 1, 7)).isEqualTo(new Granted(7, 3));
        assertThat(store().take(key, SLOW, 1, 7)).isEqualTo(new Granted(3, 0));
        assertThat(store().take(key, SLOW, 1, 7)).isInstanceOf(Refused.class);
    }

    @Test
    default void aCostAboveTheCapacityIsNeverThere() {
        Refused refused = (Refused) store().take(key(), SLOW, 11, 11);
        assertThat(refused.remaining()).isEqualTo(10);
        assertThat(refused.retryAfterMillis()).isPositive();
    }

    @Test
    default void aSmallerCapacityIsObeyedAtOnce() {
        String key = key();
        store().take(key, SLOW, 1, 1);
        assertThat(store().take(key, new TokenBucket(0.01, 4), 1, 1)).isEqualTo(new Granted(1, 3));
    }

    @Test
    default void manyCallersTogetherGetNoMoreThanThereIs() {
        String key = key();
        TokenBucket bucket = new TokenBucket(0.01, 100);
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<CompletableFuture<TakeResult>> takes = IntStream.range(0, 400)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> store().take(key, bucket, 1, 1), threads))
                    .toList();
            assertThat(takes.stream().map(CompletableFuture::join).filter(Granted.class::isInstance))
                    .hasSize(100);
        } finally {
            threads.shutdownNow();
        }
    }
}
