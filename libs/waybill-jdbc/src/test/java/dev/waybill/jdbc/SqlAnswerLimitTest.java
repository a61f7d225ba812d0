package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that falls silent, as one that is frozen or cut off does, is given up. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
@Timeout(120)
class SqlAnswerLimitTest {

    private static final Duration LIMIT = Duration.ofSeconds(2);

    @Test
    void aSilentMariaDbIsGivenUp(MariaDb server) throws SQLException {
        isGivenUp(server, Dialect.MARIADB);
    }

    @Test
    void aSilentMySqlIsGivenUp(MySql server) throws SQLException {
        isGivenUp(server, Dialect.MYSQL);
    }

    @Test
    void aSilentPostgreSqlIsGivenUp(PostgreSql server) throws SQLException {
        isGivenUp(server, Dialect.POSTGRESQL);
    }

    private static void isGivenUp(SqlServer server, Dialect dialect) throws SQLException {
        Database database = server.freshDatabase();
        try (FaultProxy network = FaultProxy.to(server)) {
            String url = server.jdbcUrl(network.host(), network.port(), database.name());
            try (TestPool pool = new TestPool(database, config -> {
                config.setJdbcUrl(url);
                config.setMaximumPoolSize(1);
            })) {
                SqlConnections limited = new SqlConnections(pool.connections(), new SqlAnswerLimit(LIMIT));
                SqlConnections.Work<Integer> asking = connection -> ask(connection, network);

                assertThat(limited.transaction("claim", "outbox", dialect, SqlAnswerLimitTest::limitOf))
                        .isEqualTo((int) LIMIT.toMillis());
                assertThat(limitOfThePool(pool)).as("as it was").isZero();
                assertThatThrownBy(() -> limited.transaction("claim", "outbox", dialect, asking))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE));
                network.heal();
                assertThat(limited.transaction("claim", "outbox", dialect, SqlAnswerLimitTest::limitOf))
                        .as("on another connection")
                        .isPositive();
            }
        }
    }

    @Test
    void aLongLeaseIsALongLimit() throws SQLException {
        try (TestPool pool = new TestPool(TestPool.h2());
                Connection connection = pool.connections().getConnection()) {
            SqlAnswerLimit limit = new SqlAnswerLimit(LIMIT);
            limit.followLease(Duration.ofDays(100));

            limit.end(connection, limit.begin(connection));

            assertThat(connection.isValid(1)).isTrue();
        }
    }

    private static int ask(Connection connection, FaultProxy network) throws SQLException {
        network.blackhole();
        return new SqlCall("SELECT 1").query(connection, row -> row.getInt(1)).get(0);
    }

    private static int limitOf(Connection connection) throws SQLException {
        return connection.getNetworkTimeout();
    }

    private static int limitOfThePool(TestPool pool) throws SQLException {
        try (Connection connection = pool.connections().getConnection()) {
            return connection.getNetworkTimeout();
        }
    }
}
