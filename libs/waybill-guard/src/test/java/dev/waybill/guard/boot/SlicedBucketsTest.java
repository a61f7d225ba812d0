package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.boot.TakeResult.Granted;
import dev.waybill.guard.running.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SlicedBucketsTest {

    private static final Duration LIFETIME = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final AtomicInteger asked = new AtomicInteger();
    private final InProcessBucketStore inner = new InProcessBucketStore(1000, time);
    private final BucketStore shared = (key, bucket, cost, wanted) -> {
        asked.incrementAndGet();
        return inner.take(key, bucket, cost, wanted);
    };

    private SlicedBuckets node() {
        return new SlicedBuckets(shared, LIFETIME, Duration.ofSeconds(5), 1000, () -> time.millis() * 1_000_000);
    }

    private static boolean admitted(SlicedBuckets node, TokenBucket bucket, long cost, long slice) {
        return node.take("k", bucket, cost, slice) instanceof Granted;
    }

    @Test
    void aSliceIsSpentWithoutAskingAgain() {
        SlicedBuckets node = node();
        TokenBucket bucket = new TokenBucket(1, 100);
        for (int i = 0; i < 100; i++) {
            assertThat(admitted(node, bucket, 1, 20)).isTrue();
        }
        assertThat(asked).hasValue(5);
        for (int i = 0; i < 100; i++) {
            assertThat(admitted(node, bucket, 1, 20)).isFalse();
        }
        assertThat(asked).hasValue(6);
        time.advance(Duration.ofSeconds(1));
        assertThat(admitted(node, bucket, 1, 20)).isTrue();
    }

    @Test
    void anUnspentSliceEndsWithItsLifetime() {
        SlicedBuckets node = node();
        TokenBucket bucket = new TokenBucket(0.001, 100);
        assertThat(admitted(node, bucket, 1, 100)).isTrue();
        time.advance(LIFETIME);
        assertThat(admitted(node, bucket, 1, 100)).isFalse();
    }

    @Test
    void manyThreadsSpendNoMoreThanWasTaken() {
        SlicedBuckets node = node();
        TokenBucket bucket = new TokenBucket(0.001, 1000);
        ExecutorService threads = Executors.newFixedThreadPool(32);
        try {
            List<CompletableFuture<Boolean>> calls = IntStream.range(0, 4000)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> admitted(node, bucket, 1, 50), threads))
                    .toList();
            assertThat(calls.stream().filter(CompletableFuture::join)).hasSize(1000);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The bound of the documentation: over a whole life nothing more, in any window at most nodes × slice more. */
    @Property(tries = 300)
    void theOvershootIsBounded(
            @ForAll @IntRange(min = 1, max = 5) int nodes,
            @ForAll @LongRange(min = 1, max = 60) long slice,
            @ForAll @LongRange(min = 1, max = 200) long rate,
            @ForAll @Size(min = 10, max = 200) List<@IntRange(max = 10_000) Integer> script) {
        TokenBucket bucket = new TokenBucket(rate, 100);
        List<SlicedBuckets> all =
                IntStream.range(0, nodes).mapToObj(i -> node()).toList();
        long[] millis = new long[script.size()];
        long[] admitted = new long[script.size()];
        long start = time.millis();
        for (int i = 0; i < script.size(); i++) {
            time.advance(Duration.ofMillis(script.get(i) % 97));
            SlicedBuckets node = all.get(script.get(i) % nodes);
            long calls = 1L + script.get(i) % 40;
            for (long call = 0; call < calls; call++) {
                admitted[i] += admitted(node, bucket, 1, slice) ? 1 : 0;
            }
            millis[i] = time.millis() - start;
        }
        for (int from = 0; from < millis.length; from++) {
            long sum = 0;
            for (int to = from; to < millis.length; to++) {
                sum += admitted[to];
                double seconds = (millis[to] - millis[from]) / 1000.0;
                assertThat((double) sum)
                        .isLessThanOrEqualTo(rate * seconds + bucket.capacity() + nodes * slice + 0.001);
                if (from == 0) {
                    assertThat((double) sum)
                            .isLessThanOrEqualTo(rate * millis[to] / 1000.0 + bucket.capacity() + 0.001);
                }
            }
        }
    }
}
