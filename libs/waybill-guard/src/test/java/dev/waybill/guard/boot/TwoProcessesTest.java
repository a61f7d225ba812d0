package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.guard.running.RedisDirect;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes on one bucket. libfaketime puts one of their clocks ten minutes ahead. */
@Servers(Server.REDIS)
class TwoProcessesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long MILLIS = 10_000;

    /** Five seconds of tokens: on a busy machine both processes may stand still for a while, and a full bucket loses some. */
    private static final TokenBucket BUSY = new TokenBucket(200, 1000);

    /** For a JVM under libfaketime, which wakes up all the time and gets little done. */
    private static final TokenBucket CALM = new TokenBucket(5, 50);

    @ParameterizedTest
    @ValueSource(longs = {0, 20})
    void admissionsOverTenSecondsAreWithinTwoPercentOfRateTimesTimeAndCapacity(
            long slice, Redis redis, ChildJvms children) {
        assertAdmitted(redis, children, BUSY, slice, Optional.empty());
    }

    @Test
    void aClockThatIsTenMinutesOffChangesNothing(Redis redis, ChildJvms children) {
        Optional<Path> faketime = faketime();
        // Without the library a rule of the house remains: no class of the Redis stores reads the JVM's clock.
        assumeTrue(faketime.isPresent(), "needs libfaketime (Debian: apt-get install libfaketime) to shift one clock");
        assertAdmitted(redis, children, CALM, 0, faketime);
    }

    /** The time is Redis's, from the word to begin to the last token that was given; what is left in the bucket counts. */
    private static void assertAdmitted(
            Redis redis, ChildJvms children, TokenBucket bucket, long slice, Optional<Path> faketime) {
        String key = BucketStoreContract.key();
        try (RedisDirect direct = new RedisDirect(redis)) {
            List<ChildJvm> pair = start(redis, children, key, bucket, slice, faketime);
            List<String> time = direct.commands().time();
            long began = Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
            pair.forEach(child -> child.println("go"));
            long admitted =
                    pair.stream().mapToLong(child -> number(child, "admitted=")).sum();
            Map<String, String> left = direct.commands().hgetall(key);
            double seconds = (Long.parseLong(left.get("lastRefillTime")) - began) / 1000.0;
            double exact = bucket.rate() * seconds + bucket.capacity() - Double.parseDouble(left.get("tokens"));
            System.out.printf(
                    Locale.ROOT,
                    "[TwoProcessesTest] slice=%d clockOff=%s seconds=%.1f admitted=%d of %.0f%n",
                    slice,
                    faketime.isPresent(),
                    seconds,
                    admitted,
                    exact);
            direct.removeAll(key + "*");
            assertThat(seconds).isGreaterThan(MILLIS / 1000.0 - 2);
            // A bucket that nobody has touched yet earns nothing, so the moment until the first take is not counted as
            // lost.
            double firstTake = faketime.isPresent() ? bucket.rate() : 0;
            assertThat((double) admitted).isBetween(exact * 0.98 - firstTake, exact * 1.02);
        }
    }

    private static List<ChildJvm> start(
            Redis redis, ChildJvms children, String key, TokenBucket bucket, long slice, Optional<Path> faketime) {
        String[] arguments = {
            redis.url(),
            key,
            Double.toString(bucket.rate()),
            Long.toString(bucket.capacity()),
            Long.toString(slice),
            Long.toString(MILLIS)
        };
        ChildJvm straight = children.start(LimiterChild.class, arguments);
        ChildJvm.Builder builder = ChildJvm.of(LimiterChild.class).arguments(arguments);
        faketime.ifPresent(library -> builder.environment("LD_PRELOAD", library.toString())
                .environment("FAKETIME", "+600")
                .environment("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .environment("DONT_FAKE_MONOTONIC", "1"));
        ChildJvm other = children.start(builder);
        long ahead = -number(straight, "clock=") + number(other, "clock=");
        if (faketime.isPresent()) {
            assertThat(ahead).isBetween(500_000L, 700_000L);
        }
        return List.of(straight, other);
    }

    private static long number(ChildJvm child, String name) {
        return Long.parseLong(child.waitForLine(name, PATIENCE).substring(name.length()));
    }

    private static Optional<Path> faketime() {
        return Stream.of("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib")
                .flatMap(folder -> List.of("faketime/libfaketimeMT.so.1", "faketime/libfaketime.so.1").stream()
                        .map(file -> Path.of(folder, file)))
                .filter(Files::exists)
                .findFirst();
    }
}
