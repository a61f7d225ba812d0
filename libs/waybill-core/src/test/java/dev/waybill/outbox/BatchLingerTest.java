package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BatchLingerTest {

    private static final long MS = 1_000_000;

    private final BatchLinger linger = BatchLinger.forMessages(Duration.ofMillis(10), 0);

    @Test
    void theFirstGoesAtOnce() {
        assertThat(linger.pause(0)).isNotPositive();
    }

    @Test
    void whatComesAtLeisureGoesAtOnce() {
        long now = send(linger, 500, 5 * MS, 0);

        assertThat(linger.pause(now)).isNotPositive();
    }

    @Test
    void aSteadyStreamWaitsForCompanyAndNoLongerThanTheTransportSays() {
        long now = send(linger, 500, 2 * MS, 0);

        assertThat(linger.pause(now)).isPositive().isLessThanOrEqualTo(10 * MS);
        assertThat(linger.pause(now + 10 * MS)).isNotPositive();
    }

    @Test
    void aQuickStreamWaitsForEnoughAndNotForMore() {
        long now = send(linger, 5_000, MS / 10, 0);

        assertThat(linger.pause(now)).isPositive().isLessThanOrEqualTo(MS);
    }

    @Test
    void afterAPauseNobodyWaits() {
        long now = send(linger, 500, 2 * MS, 0);

        assertThat(linger.pause(now + 50 * MS)).isNotPositive();
    }

    @Test
    void aTransportWithoutACostlyCallNeverWaits() {
        BatchLinger none = BatchLinger.forMessages(Duration.ZERO, 0);
        none.sent(1, 1);

        assertThat(none.pause(1)).isNotPositive();
    }

    @Test
    void atTwoHundredASecondARowIsLookedForAtOnce() {
        BatchLinger statements = BatchLinger.forStatements(0);
        long now = send(statements, 500, 5 * MS, 0);

        assertThat(statements.pause(now)).isNotPositive();
    }

    @Test
    void underLoadARowIsLookedForWithAHundredAndFiftyOthersAfterAtMostAsManyMilliseconds() {
        BatchLinger statements = BatchLinger.forStatements(0);
        long now = send(statements, 50, MS / 2, 0);
        assertThat(statements.pause(now)).isBetween(74 * MS, 150 * MS);

        now = send(statements, 100, 2 * MS, now);
        assertThat(statements.pause(now)).isBetween(149 * MS, 150 * MS);

        now = send(statements, 20, 20 * MS, now);
        assertThat(statements.pause(now)).as("the load is over").isNotPositive();
    }

    private static long send(BatchLinger linger, int times, long apart, long from) {
        long now = from;
        for (int i = 0; i < times; i++) {
            now += apart;
            linger.sent(1, now);
        }
        return now;
    }
}
