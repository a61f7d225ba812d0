package dev.waybill.jdbc;

import dev.waybill.message.LogText;
import dev.waybill.store.RemoteCommits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a table's channel with one connection, which it keeps for as long as it listens and gives back as it came: a
 * connection of a pool that still listened would collect notifications for whoever uses it next.
 */
final class PostgreSqlNotifications implements RemoteCommits {

    private static final Logger log = LoggerFactory.getLogger(PostgreSqlNotifications.class);

    /** How soon a stop is noticed. */
    private static final int LISTEN_MILLIS = 200;

    /** A commit that was not allowed to notify follows another one closely; this look finds it. */
    private static final int SECOND_LOOK_MILLIS =
            (int) NotifyThrottle.GAP.multipliedBy(4).toMillis();

    /** A server that is gone without a word sends no notifications and no error either. */
    private static final Duration CHECK_AFTER = Duration.ofSeconds(10);

    private static final int ANSWER_SECONDS = 5;

    private final DataSource dataSource;
    private final String table;
    private final String channel;

    PostgreSqlNotifications(DataSource dataSource, String table, String channel) {
        this.dataSource = dataSource;
        this.table = table;
        this.channel = channel;
    }

    @Override
    public void listen(Runnable committed, BooleanSupplier goesOn) throws InterruptedException {
        try (Connection connection = dataSource.getConnection()) {
            PostgreSqlDriver driver = PostgreSqlDriver.of(connection);
            if (driver != null) {
                listen(connection, driver, committed, goesOn);
                return;
            }
            log.info(
                    "[OutboxStore] listens to no notifications of other processes, because the connection is none of"
                            + " PostgreSQL's own driver table={} connection={}",
                    table,
                    connection.getClass().getName());
        } catch (SQLException e) {
            throw SqlErrors.translate("listen", table, e);
        }
        while (goesOn.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(LISTEN_MILLIS);
        }
    }

    private void listen(Connection connection, PostgreSqlDriver driver, Runnable committed, BooleanSupplier goesOn)
            throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        int networkTimeout = connection.getNetworkTimeout();
        SQLException failure = null;
        try {
            connection.setNetworkTimeout(Runnable::run, (int) TimeUnit.SECONDS.toMillis(ANSWER_SECONDS));
            connection.setAutoCommit(true); // inside a transaction nothing is heard
            execute(connection, "LISTEN \"" + channel + "\"");
            hear(connection, driver, committed, goesOn);
        } catch (SQLException e) {
            failure = e;
            throw e;
        } finally {
            giveBack(connection, autoCommit, networkTimeout, failure);
        }
    }

    private static void hear(Connection connection, PostgreSqlDriver driver, Runnable committed, BooleanSupplier goesOn)
            throws SQLException {
        committed.run();
        boolean lookAgain = false;
        long answered = System.nanoTime();
        while (goesOn.getAsBoolean()) {
            boolean heard = driver.waitForNotification(lookAgain ? SECOND_LOOK_MILLIS : LISTEN_MILLIS);
            if (heard || lookAgain) {
                committed.run();
            }
            lookAgain = heard;
            if (heard) {
                answered = System.nanoTime();
            } else if (System.nanoTime() - answered > CHECK_AFTER.toNanos()) {
                check(connection);
                answered = System.nanoTime();
            }
        }
    }

    private static void check(Connection connection) throws SQLException {
        if (!connection.isValid(ANSWER_SECONDS)) {
            throw new SQLException("the connection that listens is gone", "08006");
        }
    }

    /** A connection that cannot be brought back to what it was is ended, so that no pool lends it again. */
    private static void giveBack(
            Connection connection, boolean autoCommit, int networkTimeout, @Nullable SQLException failure) {
        try {
            if (failure != null) {
                connection.abort(Runnable::run);
                return;
            }
            execute(connection, "UNLISTEN *");
            connection.setAutoCommit(autoCommit);
            connection.setNetworkTimeout(Runnable::run, networkTimeout);
        } catch (SQLException e) {
            abort(connection, e);
        }
    }

    private static void abort(Connection connection, SQLException cause) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            cause.addSuppressed(e);
            log.warn("[OutboxStore] Could not end a connection that listened", LogText.thrown(cause));
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
