package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.TakeResult.Granted;
import dev.waybill.guard.running.TimeInterleavings;
import dev.waybill.guard.running.TimeInterleavings.HeldTime;
import dev.waybill.guard.running.TimeInterleavings.Trial;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads that read the time in one order and use it in another get no more than time has brought. */
class InProcessTimeTest {

    /** One token for every step of an order. */
    private static final TokenBucket BUCKET = new TokenBucket(1, 100);

    private static final int CALLS = 3;
    private static final int THREADS = 16;

    @Test
    void inEveryOrderABucketGivesWhatItHeldAndWhatTimeBrought() {
        TimeInterleavings.runAll(CALLS, InProcessTimeTest::takes);
    }

    private static Trial takes(HeldTime time) {
        InProcessBucketStore buckets = new InProcessBucketStore(10, time);
        buckets.take("k", BUCKET, BUCKET.capacity(), BUCKET.capacity());
        AtomicLong taken = new AtomicLong();
        Runnable take = () -> {
            if (buckets.take("k", BUCKET, 1, 1) instanceof Granted granted) {
                taken.addAndGet(granted.tokens());
            }
        };
        return new Trial(Collections.nCopies(CALLS, take), () -> {
            Granted rest = (Granted) buckets.take("k", BUCKET, 1, BUCKET.capacity());
            assertThat(taken.get() + rest.tokens()).isEqualTo(2L * CALLS);
        });
    }

    /** A lease is two steps long. The first holder asks to renew it too late, which frees the key for the others. */
    @Test
    void inEveryOrderAClaimHoldsTheKeyForItsLease() {
        TimeInterleavings.runAll(CALLS, InProcessTimeTest::claims);
    }

    private static Trial claims(HeldTime time) {
        Duration lease = TimeInterleavings.STEP.multipliedBy(2);
        KeyedRequest keyed = new KeyedRequest("k", "print", "trace");
        InProcessIdempotencyStore keys = new InProcessIdempotencyStore(new BoundedExpiringMap.Bounds(10, 100), time);
        Claimed first = (Claimed) keys.claim(keyed, lease);
        Queue<Long> begun = new ConcurrentLinkedQueue<>(List.of(first.createdAt()));
        Runnable claim = () -> {
            if (keys.claim(keyed, lease) instanceof Claimed claimed) {
                begun.add(claimed.createdAt());
            }
        };
        Runnable renew =
                () -> keys.renew(keyed, first, lease).toCompletableFuture().join();
        return new Trial(List.of(claim, renew, claim), () -> {
            claim.run();
            List<Long> inOrder = begun.stream().sorted().toList();
            for (int i = 1; i < inOrder.size(); i++) {
                assertThat(inOrder.get(i) - inOrder.get(i - 1)).isGreaterThanOrEqualTo(lease.toMillis());
            }
        });
    }

    @RepeatedTest(2)
    void sixteenThreadsAreAdmittedNoMoreThanRateTimesTimeAndCapacity() throws Exception {
        assertAdmitted(Duration.ofSeconds(1));
    }

    /** The full length; {@code -Dwaybill.excluded-groups=none} runs it. */
    @Tag("bench")
    @RepeatedTest(10)
    void sixteenThreadsAreAdmittedNoMoreThanRateTimesTimeAndCapacityForTenSeconds() throws Exception {
        assertAdmitted(Duration.ofSeconds(10));
    }

    private static void assertAdmitted(Duration length) throws Exception {
        TokenBucket bucket = new TokenBucket(200, 200);
        InProcessBucketStore buckets = new InProcessBucketStore(10, MonotonicClock.start());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long began = System.nanoTime();
            List<Future<Long>> callers = IntStream.range(0, THREADS)
                    .mapToObj(i -> threads.submit(() -> admitted(buckets, bucket, began + length.toNanos())))
                    .toList();
            long admitted = 0;
            for (Future<Long> caller : callers) {
                admitted += caller.get();
            }
            // The store counts in milliseconds, so it may see one more than has passed.
            double seconds = (System.nanoTime() - began) / 1e9 + 0.001;
            double most = bucket.rate() * seconds + bucket.capacity();
            System.out.printf(
                    Locale.ROOT, "[InProcessTimeTest] seconds=%.2f admitted=%d of %.1f%n", seconds, admitted, most);
            assertThat((double) admitted).isLessThanOrEqualTo(most);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long admitted(InProcessBucketStore buckets, TokenBucket bucket, long deadline) {
        long admitted = 0;
        while (System.nanoTime() - deadline < 0) {
            admitted += buckets.take("k", bucket, 1, 1) instanceof Granted ? 1 : 0;
        }
        return admitted;
    }
}
