package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatchLingerTest {

    private static final long MS = 1_000_000;

    private final BatchLinger cadence = new BatchLinger(Duration.ofMillis(10), 0);

    @Test
    void theFirstGoesAtOnce() {
        assertThat(cadence.pause(0)).isNotPositive();
    }

    @Test
    void whatComesAtLeisureGoesAtOnce() {
        long now = send(500, 5 * MS, 0);

        assertThat(cadence.pause(now)).isNotPositive();
    }

    @Test
    void aSteadyStreamWaitsForCompanyAndNoLongerThanTheTransportSays() {
        long now = send(500, 2 * MS, 0);

        assertThat(cadence.pause(now)).isPositive().isLessThanOrEqualTo(10 * MS);
        assertThat(cadence.pause(now + 10 * MS)).isNotPositive();
    }

    @Test
    void aQuickStreamWaitsForEnoughAndNotForMore() {
        long now = send(5_000, MS / 10, 0);

        assertThat(cadence.pause(now)).isPositive().isLessThanOrEqualTo(MS);
    }

    @Test
    void afterAPauseNobodyWaits() {
        long now = send(500, 2 * MS, 0);

        assertThat(cadence.pause(now + 50 * MS)).isNotPositive();
    }

    @Test
    void aTransportWithoutACostlyCallNeverWaits() {
        BatchLinger none = new BatchLinger(Duration.ZERO, 0);
        none.sent(1, 1);

        assertThat(none.pause(1)).isNotPositive();
    }

    private long send(int times, long apart, long from) {
        long now = from;
        for (int i = 0; i < times; i++) {
            now += apart;
            cadence.sent(1, now);
        }
        return now;
    }
}
