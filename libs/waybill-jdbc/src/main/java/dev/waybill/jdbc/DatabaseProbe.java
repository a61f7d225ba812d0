package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a database answers, within a few seconds whatever its driver or pool does. A caller that asks while
 * another one's probe is under way waits for that result, so that a database that comes back is not asked by all at once.
 */
final class DatabaseProbe {

    private static final int LIMIT_SECONDS = 3;

    private final DataSource dataSource;
    private @Nullable CompletableFuture<Boolean> open;

    DatabaseProbe(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    boolean answers() {
        CompletableFuture<Boolean> question = ask();
        try {
            return question.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            forget(question);
            return false;
        } catch (ExecutionException e) {
            return false; // the probe itself failed, which is no sign of a usable database
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private synchronized CompletableFuture<Boolean> ask() {
        CompletableFuture<Boolean> asked = open;
        if (asked != null) {
            return asked;
        }
        CompletableFuture<Boolean> question = new CompletableFuture<>();
        open = question;
        Thread asking = new Thread(
                () -> {
                    boolean answer = answer();
                    forget(question);
                    question.complete(answer);
                },
                "waybill-database-probe");
        asking.setDaemon(true);
        asking.start();
        return question;
    }

    private synchronized void forget(CompletableFuture<Boolean> question) {
        if (open == question) {
            open = null;
        }
    }

    private boolean answer() {
        try (Connection connection = dataSource.getConnection()) {
            return connection.isValid(LIMIT_SECONDS - 1);
        } catch (SQLTransientConnectionException e) {
            // A pool that knows of no error has none free. Whoever works with the others is told by the database
            // itself.
            return e.getSQLState() == null && e.getCause() == null;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
