package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tables that keep what a clock in the session's time zone shows: nobody can tell twice the same hour apart, so it is told. */
@Servers({Server.MARIADB, Server.MYSQL})
class SummerTimeTest {

    private static final String ZONE = "Waybill/Summer";

    @Test
    void aTableThatKeepsLocalTimesIsToldOfSummerTimeOnMariaDb(MariaDb server) throws SQLException {
        areToldOfSummerTime(server);
    }

    @Test
    void aTableThatKeepsLocalTimesIsToldOfSummerTimeOnMySql(MySql server) throws SQLException {
        areToldOfSummerTime(server);
    }

    private static void areToldOfSummerTime(SqlServer server) throws SQLException {
        createZone(server);
        Database database = server.freshDatabase();

        assertThat(warnings(database, OutboxLayouts.tOutboxEvent(), ZONE))
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("table=t_outbox_event").contains("SET time_zone"));
        assertThat(warnings(database, OutboxLayouts.tOutboxEvent(), "+02:00")).isEmpty();
        assertThat(warnings(database, OutboxLayouts.waybill(), ZONE))
                .as("keeps UTC")
                .isEmpty();
    }

    private static List<String> warnings(Database database, OutboxMapping mapping, String zone) {
        Logger logger = (Logger) LoggerFactory.getLogger(OutboxChecks.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try (TestPool pool =
                new TestPool(database, config -> config.setConnectionInitSql("SET time_zone = '" + zone + "'"))) {
            Ddl.apply(pool.connections(), mapping);
            JdbcOutboxStore.builder(pool.connections())
                    .callerConnection(new JdbcTransactions(pool.connections()))
                    .mapping(mapping)
                    .build()
                    .verify();
        } finally {
            logger.detachAppender(lines);
        }
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** The servers know no time zones by name until somebody loads them. */
    private static void createZone(SqlServer server) throws SQLException {
        try (Connection connection = server.adminConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT IGNORE INTO mysql.time_zone VALUES (9001, 'N')");
            statement.execute("INSERT IGNORE INTO mysql.time_zone_name VALUES ('" + ZONE + "', 9001)");
            statement.execute("INSERT IGNORE INTO mysql.time_zone_transition_type VALUES"
                    + " (9001, 0, 3600, 0, 'WT'), (9001, 1, 7200, 1, 'ST')");
            statement.execute("INSERT IGNORE INTO mysql.time_zone_transition VALUES (9001, " + firstOf(4)
                    + ", 1), (9001, " + firstOf(10) + ", 0)");
        }
    }

    private static long firstOf(int month) {
        return LocalDate.of(Year.now(ZoneOffset.UTC).getValue(), month, 1)
                .atStartOfDay(ZoneOffset.UTC)
                .toEpochSecond();
    }
}
