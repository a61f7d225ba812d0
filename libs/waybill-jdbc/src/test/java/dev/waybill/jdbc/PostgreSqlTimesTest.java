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

    private static final long CENTURY = 3_155_760_000_000_000L;

    /** A due time may be a fence: one microsecond off, and a relay would not know its own rows again. */
    @Test
    void aFaceTellsEveryMicrosecondOfThisCentury(PostgreSql server) throws SQLException {
        SqlTimes times = new PostgreSqlTimes(false);
        long from = SqlTimes.micros(Instant.parse("2000-01-01T00:00:00Z"));
        List<Long> written =
                new Random(7).longs(20_000, from, from + CENTURY).boxed().toList();
        String ask = "SELECT " + times.face("TIMESTAMPTZ 'epoch' + given * INTERVAL '1 microsecond'")
                + " FROM unnest(CAST(:given AS bigint[])) AS given";
        try (JdbcOutboxFixture fixture = JdbcOutboxFixture.on(server, TestTable.WAYBILL);
                Connection connection = fixture.pool().getConnection()) {
            List<Long> read = new SqlCall(ask)
                    .set("given", PostgreSqlArrays.numbers(written))
                    .query(connection, row -> row.getLong(1));
            assertThat(read).isEqualTo(written);
        }
    }
}
