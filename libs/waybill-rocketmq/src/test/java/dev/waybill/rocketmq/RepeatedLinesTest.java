package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepeatedLinesTest {

    private final RepeatedLines lines = new RepeatedLines();

    @Test
    void aSentenceThatIsRepeatedIsLeftOutUntilTheNextMinuteWhichSaysHowOften() {
        for (int i = 0; i < RepeatedLines.PASS; i++) {
            assertThat(lines.count("connect failed", i)).isZero();
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(lines.count("connect failed", 10)).isNegative();
        }

        assertThat(lines.count("connect failed", TimeUnit.SECONDS.toNanos(61))).isEqualTo(1_000);
        assertThat(lines.count("connect failed", TimeUnit.SECONDS.toNanos(61))).isZero();
    }

    @Test
    void anotherSentenceIsNotLeftOut() {
        for (int i = 0; i < 10; i++) {
            lines.count("connect failed", 0);
        }

        assertThat(lines.count("disk is full", 0)).isZero();
    }

    @Test
    void sentencesWithoutEndAreNotRememberedWithoutEnd() {
        for (int i = 0; i < 10; i++) {
            lines.count("first", 0);
        }
        for (int i = 0; i < 1_000; i++) {
            lines.count("sentence " + i, 0);
        }

        assertThat(lines.count("first", 0)).as("it was forgotten").isZero();
    }
}
