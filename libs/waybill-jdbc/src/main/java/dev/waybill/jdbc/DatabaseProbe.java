package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Whether a database answers, within a few seconds whatever its driver or pool does. Who asks while somebody else's
 * question is open waits for that answer: a database that is coming back is not greeted by all at once.
 */
final class DatabaseProbe {

    private static final int PATIENCE_SECONDS = 3;

    private final DataSource dataSource;
    private @Nullable CompletableFuture<Boolean> open;

    DatabaseProbe(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    boolean beats() {
        CompletableFuture<Boolean> question = ask();
        try {
            return question.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            forget(question);
            return false;
        } catch (ExecutionException e) {
            return false; // whatever it was, it was no answer
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
                "waybill-pulse");
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
            return connection.isValid(PATIENCE_SECONDS - 1);
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }
}
