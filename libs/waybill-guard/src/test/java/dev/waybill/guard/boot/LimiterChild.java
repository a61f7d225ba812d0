package dev.waybill.guard.boot;

import dev.waybill.guard.boot.TakeResult.Granted;
import dev.waybill.redis.RedisLink;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Takes tokens from a shared bucket as fast as it can, for a while, in a process of its own. */
final class LimiterChild {

    private LimiterChild() {}

    /** Arguments: Redis, key, rate, capacity, slice, milliseconds to run. Starts at the first line on standard input. */
    public static void main(String[] arguments) throws Exception {
        TokenBucket bucket = new TokenBucket(Double.parseDouble(arguments[2]), Long.parseLong(arguments[3]));
        long slice = Long.parseLong(arguments[4]);
        try (RedisLink redis = new RedisLink(arguments[0], Duration.ofSeconds(10))) {
            RedisBucketStore buckets = new RedisBucketStore(redis);
            SlicedBuckets sliced =
                    new SlicedBuckets(buckets, Duration.ofSeconds(1), Duration.ofSeconds(10), 10, System::nanoTime);
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .ignoreExceptions()
                    .until(() -> buckets.take(arguments[1] + ":warm", bucket, 1, 1) instanceof Granted);
            System.out.println("clock=" + System.currentTimeMillis());
            if (System.in.read() < 0) {
                return;
            }
            long end = System.nanoTime()
                    + Duration.ofMillis(Long.parseLong(arguments[5])).toNanos();
            long admitted = 0;
            while (System.nanoTime() < end) {
                TakeResult take = slice == 0
                        ? buckets.take(arguments[1], bucket, 1, 1)
                        : sliced.take(arguments[1], bucket, 1, slice);
                admitted += take instanceof Granted ? 1 : 0;
            }
            System.out.println("admitted=" + admitted);
        }
    }
}
