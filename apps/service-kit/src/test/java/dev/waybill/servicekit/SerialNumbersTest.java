package dev.waybill.servicekit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SerialNumbersTest {

    private static final Clock FROZEN = Clock.fixed(Instant.parse("2024-01-15T10:30:45Z"), ZoneOffset.ofHours(8));

    @Test
    void aNumberIsThePrefixTheSecondInUtcAndTheDigits() {
        assertThat(new SerialNumbers("ORD", 7, FROZEN, new Random(1)).next())
                .matches("ORD[0-9]{21}")
                .startsWith("ORD20240115103045");
    }

    @Test
    void oneProcessNeverRepeatsANumberWithinASecond() {
        SerialNumbers numbers = new SerialNumbers("ORD", 7, FROZEN, new Random(1));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 200_000; i++) {
            assertThat(seen.add(numbers.next())).isTrue();
        }
    }

    @Test
    void theDigitsWrapAroundAndStayAsManyAsTheyAre() {
        SerialNumbers numbers = new SerialNumbers("ORD", 7, FROZEN, new Random() {
            private static final long serialVersionUID = 1L;

            @Override
            public int nextInt(int bound) {
                return bound - 1;
            }
        });
        assertThat(numbers.next()).endsWith("9999999");
        assertThat(numbers.next()).endsWith("0000000");
    }
}
