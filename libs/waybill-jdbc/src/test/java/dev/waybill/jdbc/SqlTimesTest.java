package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTimesTest {

    private final SqlTimes mySql = new MySqlTimes(false, true);
    private final SqlTimes postgreSql = new PostgreSqlTimes(false);
    private final SqlTimes h2 = new H2Times(false);

    @ParameterizedTest
    @CsvSource({
        "2026-02-04T10:30:00Z, 2026-02-04 10:30:00.000000",
        "2026-02-04T10:30:00.123456Z, 2026-02-04 10:30:00.123456",
        "2026-02-04T10:30:00.000007Z, 2026-02-04 10:30:00.000007",
        "1970-01-01T00:00:00Z, 1970-01-01 00:00:00.000000",
        "1969-12-31T23:59:59.999999Z, 1969-12-31 23:59:59.999999",
        "1900-02-28T23:59:59.999999Z, 1900-02-28 23:59:59.999999",
        "2000-02-29T23:59:59.999999Z, 2000-02-29 23:59:59.999999",
        "2024-12-31T23:59:59.999999Z, 2024-12-31 23:59:59.999999",
        "2100-03-01T23:59:59.999999Z, 2100-03-01 23:59:59.999999",
        "0001-01-01T00:00:00Z, 0001-01-01 00:00:00.000000",
        "9999-12-31T23:59:59.999999Z, 9999-12-31 23:59:59.999999"
    })
    void mySqlGetsSixDigitsOfAFractionInEveryYear(Instant instant, String text) {
        assertThat(mySql.wallClockValue(SqlTimes.micros(instant))).isEqualTo(text);
        assertThat(mySql.instantValue(instant)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-02-04T10:30:00.123456789Z, 2026-02-04 10:30:00.123456",
        "1969-12-31T23:59:59.999999999Z, 1969-12-31 23:59:59.999999"
    })
    void mySqlGetsNoNanoseconds(Instant instant, String text) {
        assertThat(mySql.instantValue(instant)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-04T10:30:00Z",
                "2026-02-04T10:30:00.100Z",
                "2026-02-04T10:30:00.123456Z",
                "0001-01-01T00:00:00Z",
                "0000-12-31T23:59:59.999999Z",
                "-0001-12-31T23:59:59.999Z",
                "-12345-06-07T08:09:10.000011Z",
                "9999-12-31T23:59:59.999999Z",
                "+10000-01-01T00:00:00Z",
                "+123456-07-08T09:10:11.120Z",
                "1969-12-31T23:59:59.999999Z",
                "2024-02-29T23:59:59.999999Z"
            })
    void theOthersGetNoThreeOrSixDigits(String text) {
        long micros = SqlTimes.micros(Instant.parse(text));

        assertThat(postgreSql.wallClockValue(micros)).isEqualTo(text);
        assertThat(postgreSql.instantValue(Instant.parse(text))).isEqualTo(text);
        assertThat(h2.wallClockValue(micros)).isEqualTo(text);
        assertThat(h2.instantValue(Instant.parse(text))).isEqualTo(text);
    }
}
