package dev.waybill.bench.contenders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ConfirmCounterTest {

    @Test
    void aConfirmOfManyCountsOnlyThoseThatWereNotConfirmedAlone() {
        ConfirmCounter confirms = new ConfirmCounter();
        assertThat(confirms.upTo(2, false)).isEqualTo(1);
        assertThat(confirms.upTo(4, true)).isEqualTo(3);
        assertThat(confirms.upTo(5, false)).isEqualTo(1);
    }

    @Test
    void everyMessageIsCountedOnceHoweverItsConfirmCame() {
        ConfirmCounter confirms = new ConfirmCounter();
        Random random = new Random(7);
        int counted = 0;
        int alone = 0;
        for (int tag = 1; tag <= 200_000; tag += 2) {
            counted += confirms.upTo(tag + 1, false); // the later one of two comes first
            alone++;
            counted += confirms.upTo(tag, random.nextBoolean());
        }
        assertThat(alone).isEqualTo(100_000);
        assertThat(counted).isEqualTo(200_000);
    }
}
