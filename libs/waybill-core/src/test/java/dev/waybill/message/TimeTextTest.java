package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TimeTextTest {

    private static final DateTimeFormatter SQL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS");
    private static final int[] UNITS = {1_000_000_000, 100_000_000, 1_000_000, 1_000, 1};
    private static final int ROUNDS = 200_000;

    private final Random random = new Random(20260204);

    @Test
    void anyTimeOfTheYearsOneTo9999IsWrittenAsJavaWritesIt() {
        long first = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
        long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
        for (int i = 0; i < ROUNDS; i++) {
            assertSameText(Instant.ofEpochSecond(random.nextLong(first, last + 1), nano(i)));
        }
    }

    @Test
    void anyTimeOfOurDaysIsWrittenAsJavaWritesIt() {
        long first = Instant.parse("1969-01-01T00:00:00Z").getEpochSecond();
        long last = Instant.parse("2101-01-01T00:00:00Z").getEpochSecond();
        for (int i = 0; i < ROUNDS; i++) {
            assertSameText(Instant.ofEpochSecond(random.nextLong(first, last), nano(i)));
        }
    }

    @Test
    void everyDayIsWrittenAsJavaWritesIt() {
        for (long day = -719_162; day <= 2_932_896; day += 7) {
            assertSameText(Instant.ofEpochSecond(day * 86_400));
        }
        Stream.of("1900-02-28", "2000-02-29", "2023-12-31", "2024-02-29", "2024-12-31", "2100-03-01")
                .forEach(day -> assertSameText(Instant.parse(day + "T23:59:59.999999999Z")));
    }

    @Test
    void timesAtAndBeyondTheEdgesAreWrittenAsJavaWritesThem() {
        Stream.of(
                        "0001-01-01T00:00:00Z",
                        "0000-12-31T23:59:59.999999999Z",
                        "0000-01-01T00:00:00Z",
                        "-0001-12-31T23:59:59.999Z",
                        "-12345-06-07T08:09:10.000011Z",
                        "9999-12-31T23:59:59.999999999Z",
                        "+10000-01-01T00:00:00Z",
                        "+123456-07-08T09:10:11.120Z",
                        "1970-01-01T00:00:00Z",
                        "1969-12-31T23:59:59.999999999Z",
                        "1969-12-31T23:59:59.000000001Z")
                .forEach(text -> {
                    assertThat(TimeText.iso(Instant.parse(text))).isEqualTo(text);
                    assertSameText(Instant.parse(text));
                });
        assertThat(TimeText.iso(Instant.MIN)).isEqualTo(Instant.MIN.toString());
        assertThat(TimeText.iso(Instant.MAX)).isEqualTo(Instant.MAX.toString());
    }

    /** Whole seconds, tenths, milliseconds, microseconds and nanoseconds in turn. */
    private int nano(int round) {
        int unit = UNITS[round % UNITS.length];
        return random.nextInt(1_000_000_000 / unit) * unit;
    }

    private static void assertSameText(Instant instant) {
        String iso = TimeText.iso(instant);
        String sql = TimeText.sql(instant);
        // the plain comparison first: a million assertions would take longer than the work
        if (!iso.equals(instant.toString())) {
            assertThat(iso).isEqualTo(instant.toString());
        }
        String wanted = SQL.format(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
        if (!sql.equals(wanted)) {
            assertThat(sql).isEqualTo(wanted);
        }
    }
}
