package dev.waybill.guardbench;

import dev.waybill.guard.boot.BenchedRateLimiter;
import dev.waybill.redis.RedisLink;
import dev.waybill.servers.PrivateServers;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.optimization.Optimization;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Main class. One hot key, 64 callers, a bucket that hardly ever refuses, so that every decision is a whole one.
 *
 * <p>Arguments: seconds per round (2), rounds (5). Exits with 1 if a ratio is missed.
 */
public final class GuardBench {

    private static final int CALLERS = 64;
    private static final long CAPACITY = 100_000_000;
    private static final double RATE = 1_000_000;
    private static final long SLICE = 1000;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** A limiter at work: one decision on the hot key. */
    @FunctionalInterface
    interface Contender {
        boolean decide();
    }

    private GuardBench() {}

    public static void main(String[] arguments) throws InterruptedException {
        Duration round = Duration.ofSeconds(arguments.length > 0 ? Long.parseLong(arguments[0]) : 2);
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
        boolean held;
        try (PrivateServers servers = PrivateServers.open()) {
            held = run(servers.redis().url(), round, rounds);
        }
        System.exit(held ? 0 : 1);
    }

    private static boolean run(String redis, Duration round, int rounds) throws InterruptedException {
        RedisClient lettuce = RedisClient.create(redis);
        try (RedisLink link = new RedisLink(redis, TIMEOUT)) {
            Map<String, Contender> contenders = new LinkedHashMap<>();
            link.tryConnect();
            contenders.put("bucket4j", bucket4j(lettuce, Optimization.NONE_OPTIMIZED));
            contenders.put("bucket4j batching", bucket4j(lettuce, Optimizations.batching()));
            contenders.put("waybill", waybill(link, 0));
            contenders.put("waybill slice=" + SLICE, waybill(link, SLICE));
            Map<String, List<Double>> perSecond = new LinkedHashMap<>();
            contenders.forEach((name, contender) -> perSecond.put(name, new ArrayList<>()));
            for (int i = 0; i <= rounds; i++) {
                for (Map.Entry<String, Contender> contender : contenders.entrySet()) {
                    double rate = Round.of(contender.getValue(), CALLERS, round);
                    if (i > 0) { // the first round only warms up
                        perSecond
                                .getOrDefault(contender.getKey(), new ArrayList<>())
                                .add(rate);
                        System.out.printf(
                                Locale.ROOT, "round %d  %-20s %,12.0f decisions/s%n", i, contender.getKey(), rate);
                    }
                }
            }
            return report(perSecond);
        } finally {
            lettuce.shutdown();
        }
    }

    private static boolean report(Map<String, List<Double>> perSecond) {
        double base = median(perSecond.getOrDefault("bucket4j", List.of()));
        System.out.printf(Locale.ROOT, "%n%-20s %15s %8s%n", "medians", "decisions/s", "ratio");
        perSecond.forEach((name, rates) ->
                System.out.printf(Locale.ROOT, "%-20s %,15.0f %8.2f%n", name, median(rates), median(rates) / base));
        double plain = median(perSecond.getOrDefault("waybill", List.of())) / base;
        double sliced = median(perSecond.getOrDefault("waybill slice=" + SLICE, List.of())) / base;
        boolean held = plain >= 0.95 && sliced >= 2;
        System.out.println(
                held
                        ? "both ratios are reached (0.95 without slices, 2 with)"
                        : "a ratio is missed (0.95 without slices, 2 with)");
        return held;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(Double.NaN);
    }

    private static Contender waybill(RedisLink link, long slice) {
        String key = "ratelimit:bench:" + UUID.randomUUID();
        return new BenchedRateLimiter(link, TIMEOUT, RATE, CAPACITY, slice, key)::allows;
    }

    private static Contender bucket4j(RedisClient client, Optimization optimization) {
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(CAPACITY).refillGreedy((long) RATE, Duration.ofSeconds(1)))
                .build();
        BucketProxy bucket = Bucket4jLettuce.casBasedBuilder(client)
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(1)))
                .build()
                .builder()
                .withOptimization(optimization)
                .build(("bench:" + UUID.randomUUID()).getBytes(StandardCharsets.UTF_8), () -> configuration);
        return () -> bucket.tryConsume(1);
    }
}
