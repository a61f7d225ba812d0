package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.boot.StoreUnavailableException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class StoreAvailabilityTest {

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> counted = new ArrayList<>();
    private final StoreAvailability availability = new StoreAvailability(
            "idempotent",
            (metric, subject, outcome) -> counted.add(metric.text() + " " + subject + " " + outcome),
            nanos::get);

    private void fail() {
        availability.down(new StoreUnavailableException(Reason.TIMED_OUT, null), "order:create", "FALL_THROUGH");
    }

    private static long lines(CapturedOutput output, String text) {
        return output.getOut().lines().filter(line -> line.contains(text)).count();
    }

    @Test
    void anOutageIsTwoLinesAndEveryFallbackIsCounted(CapturedOutput output) {
        for (int i = 0; i < 50; i++) {
            fail();
        }
        nanos.addAndGet(StoreAvailability.QUIET.toNanos());
        fail();
        availability.up();
        availability.up();
        assertThat(lines(
                        output,
                        "[Guard] store down guard=idempotent reason=TIMED_OUT first=order:create then=FALL_THROUGH"))
                .isOne();
        assertThat(lines(output, "[Guard] store back guard=idempotent afterMillis=10000 fallbacks=51"))
                .isOne();
        assertThat(counted).hasSize(51).containsOnly("waybill.guard.store.fallbacks idempotent timed_out");
    }

    @Test
    void aStoreThatComesAndGoesIsToldOfNowAndThen(CapturedOutput output) {
        for (int i = 0; i < 100; i++) {
            fail();
            availability.up();
        }
        assertThat(lines(output, "store down")).isOne();
        assertThat(lines(output, "store back")).isOne();
        nanos.addAndGet(StoreAvailability.QUIET.toNanos());
        fail();
        assertThat(lines(output, "store down")).isEqualTo(2);
    }
}
