package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

@Servers(Server.POSTGRESQL)
class PostgreSqlTimesTest {

    /** A due time may be a fence, and an event's time goes into its message: neither may be a microsecond off. */
    @Test
    void aWallClockValueIsExactToTheMicrosecondInEveryYear(PostgreSql server) throws SQLException {
        SqlTimes times = new PostgreSqlTimes(false);
        long first = SqlTimes.micros(Instant.parse("0001-01-01T00:00:00Z"));
        long end = SqlTimes.micros(Instant.parse("9999-12-31T00:00:00Z"));
        List<Long> written = new Random(7).longs(20_000, first, end).boxed().toList();
        String ask = "SELECT " + times.wallClockMicros(times.fromWallClock("given"))
                + " FROM unnest(CAST(:given AS text[])) AS given";
        try (JdbcOutboxFixture fixture = new JdbcOutboxFixture(server.freshDatabase(), TestTable.WAYBILL);
                Connection connection = fixture.pool().connections().getConnection()) {
            List<Long> read = new SqlCall(ask)
                    .set(
                            "given",
                            PostgreSqlArrays.texts(
                                    written.stream().map(times::wallClockValue).toList()))
                    .query(connection, row -> row.getLong(1));
            assertThat(read).isEqualTo(written);
        }
    }
}
