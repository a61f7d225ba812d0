package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Lets the server end a transaction of ours whose client has fallen silent. A relay that is frozen, or cut off, between two
 * statements would keep its rows locked until the server gives the connection up, after eight hours by default, and rows
 * that are locked are skipped by every other relay. With this limit they come free when a lease would have run out.
 */
final class SqlIdleLimit {

    /** Serves until the first claim tells the relay's lease. */
    private static final Duration BEFORE_THE_FIRST_CLAIM = Duration.ofSeconds(30);

    private static final String MYSQL_END = "SET SESSION wait_timeout = @waybill_idle,"
            + " SESSION net_write_timeout = @waybill_unread, SESSION net_read_timeout = @waybill_unsent";

    private volatile Duration limit = BEFORE_THE_FIRST_CLAIM;

    /** As long as rows stay with a relay that does not renew them. */
    void followLease(Duration lease) {
        limit = lease;
    }

    /**
     * Before the transaction begins. One statement for all: READ COMMITTED for the next transaction only, and the session's
     * limits on a client that sends nothing or does not read its answer. What they were is kept in the session.
     */
    void beginMySql(Connection connection, Dialect dialect) throws SQLException {
        long seconds = Math.max(1, limit.toSeconds()); // the servers count in whole seconds
        execute(
                connection,
                "SET @waybill_idle = @@wait_timeout, @waybill_unread = @@net_write_timeout,"
                        + " @waybill_unsent = @@net_read_timeout, SESSION wait_timeout = " + seconds
                        + ", SESSION net_write_timeout = " + seconds + ", SESSION net_read_timeout = " + seconds
                        + (dialect == Dialect.MARIADB ? ", @@tx_isolation" : ", @@transaction_isolation")
                        + " = 'READ-COMMITTED'");
    }

    /** After the transaction, however it ended, so that business code finds its connection as it was. */
    void endMySql(Connection connection) throws SQLException {
        execute(connection, MYSQL_END);
    }

    /** The first statement of the transaction; the limit ends with it. */
    void beginPostgreSql(Connection connection) throws SQLException {
        execute(connection, "SET LOCAL idle_in_transaction_session_timeout = " + limit.toMillis());
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
