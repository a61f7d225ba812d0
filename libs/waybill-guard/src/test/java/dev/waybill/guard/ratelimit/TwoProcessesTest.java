package dev.waybill.guard.ratelimit;

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
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes on one bucket. libfaketime puts one of their clocks ten minutes ahead. */
@Servers(Server.REDIS)
class TwoProcessesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final double RATE = 200;
    private static final long CAPACITY = 200;

    @ParameterizedTest
    @ValueSource(longs = {0, 20})
    void admissionsOverTenSecondsAreWithinTwoPercentOfRateTimesTimeAndCapacity(
            long slice, Redis redis, ChildJvms children) {
        double admitted = admitted(redis, children, slice, 10_000, Optional.empty());
        double exact = RATE * 10 + CAPACITY;
        System.out.println("[TwoProcessesTest] slice=" + slice + " admitted=" + admitted + " of " + exact);
        assertThat(admitted).isBetween(exact * 0.98, exact * 1.02);
    }

    @Test
    void aClockThatIsTenMinutesOffChangesNothing(Redis redis, ChildJvms children) {
        Optional<Path> faketime = faketime();
        // Without the library a rule of the house remains: no class of the Redis stores reads the JVM's clock.
        assumeTrue(faketime.isPresent(), "needs libfaketime (Debian: apt-get install libfaketime) to shift one clock");
        double admitted = admitted(redis, children, 0, 4_000, faketime);
        double exact = RATE * 4 + CAPACITY;
        System.out.println("[TwoProcessesTest] clock off: admitted=" + admitted + " of " + exact);
        assertThat(admitted).isBetween(exact * 0.98, exact * 1.03);
    }

    private static double admitted(Redis redis, ChildJvms children, long slice, long millis, Optional<Path> faketime) {
        String key = BucketStoreContract.key();
        String[] arguments = {
            redis.url(),
            key,
            Double.toString(RATE),
            Long.toString(CAPACITY),
            Long.toString(slice),
            Long.toString(millis)
        };
        ChildJvm straight = children.start(LimiterChild.class, arguments);
        ChildJvm.Builder builder = ChildJvm.of(LimiterChild.class).arguments(arguments);
        faketime.ifPresent(library -> builder.environment("LD_PRELOAD", library.toString())
                .environment("FAKETIME", "+600")
                .environment("FAKETIME_DONT_FAKE_MONOTONIC", "1")
                .environment("DONT_FAKE_MONOTONIC", "1"));
        ChildJvm other = children.start(builder);
        long straightClock = number(straight, "clock=");
        long otherClock = number(other, "clock=");
        if (faketime.isPresent()) {
            assertThat(otherClock - straightClock).isBetween(550_000L, 650_000L);
        }
        try (RedisDirect direct = new RedisDirect(redis)) {
            straight.println("go");
            other.println("go");
            long admitted = number(straight, "admitted=") + number(other, "admitted=");
            direct.removeAll(key + "*");
            return admitted;
        }
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
