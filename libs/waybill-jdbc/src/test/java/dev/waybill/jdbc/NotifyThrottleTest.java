package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NotifyThrottleTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private final NotifyThrottle throttle = new NotifyThrottle(now::get);

    @Test
    void oneAppendInFiveMillisecondsNotifies() {
        assertThat(throttle.allows()).isTrue();
        assertThat(throttle.allows()).isFalse();
        now.addAndGet(NotifyThrottle.GAP.toNanos() - 1);
        assertThat(throttle.allows()).isFalse();
        now.incrementAndGet();
        assertThat(throttle.allows()).isTrue();
        assertThat(throttle.allows()).isFalse();
    }

    @Test
    void aChannelIsTheTablesNameOrItsDigestWhereThatIsTooLongOrNeedsQuotes() {
        assertThat(PostgreSqlChannel.named("public.waybill_outbox")).isEqualTo("waybill.public.waybill_outbox");
        String longest = "s".repeat(27) + "." + "t".repeat(27);
        assertThat(PostgreSqlChannel.named(longest))
                .isEqualTo("waybill." + longest)
                .hasSize(63);
        assertThat(PostgreSqlChannel.named(longest + "t")).hasSize(40).matches("waybill\\.[0-9a-f]{32}");
        assertThat(PostgreSqlChannel.named("it's.t")).matches("waybill\\.[0-9a-f]{32}");
        assertThat(PostgreSqlChannel.named(longest + "t")).isNotEqualTo(PostgreSqlChannel.named(longest + "u"));
    }
}
