package dev.waybill.jdbc;

import dev.waybill.store.NoTransactionException;
import dev.waybill.store.TransactionRunner;
import dev.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions for plain Java: {@code transactions.run(connection -> ...)} commits when the work returns and rolls back
 * when it throws. The thread's transaction is where {@link JdbcOutboxStore} appends.
 *
 * <p>A nested call joins the outer transaction: it commits or rolls back with it, and an inner failure dooms the whole,
 * also when the outer work catches it. The connection given to the work refuses commit, rollback, close and
 * setAutoCommit; savepoints work, and events published after one vanish with its rollback. Savepoints made by SQL text,
 * or on an unwrapped driver connection, are not noticed: don't publish inside them.
 */
public final class JdbcTransactions implements Transactions, TransactionRunner, CallerConnection {

    /** Work inside a transaction that returns something. */
    @FunctionalInterface
    public interface Call<T extends @Nullable Object, E extends Exception> {
        T on(Connection connection) throws SQLException, E;
    }

    /** Work inside a transaction. */
    @FunctionalInterface
    public interface Work<E extends Exception> {
        void on(Connection connection) throws SQLException, E;
    }

    private final DataSource dataSource;

    @SuppressWarnings("ThreadLocalUsage") // one per DataSource: a thread may be in a transaction of each
    private final ThreadLocal<@Nullable JdbcTransaction> current = new ThreadLocal<>();

    public JdbcTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Runs work in the thread's transaction, or in a new one.
     *
     * @throws SQLException also when the commit failed or its outcome is unknown
     */
    public <E extends Exception> void run(Work<E> work) throws SQLException, E {
        this.<Boolean, E>call(connection -> {
            work.on(connection);
            return true;
        });
    }

    /**
     * Runs work in the thread's transaction, or in a new one, and returns its result.
     *
     * @throws SQLException also when the commit failed or its outcome is unknown
     */
    public <T extends @Nullable Object, E extends Exception> T call(Call<T, E> work) throws SQLException, E {
        JdbcTransaction outer = current.get();
        return outer == null ? begin(work) : joined(outer, work);
    }

    /** Always a transaction of its own: one that this thread is in already goes on, untouched, when this one has ended. */
    @Override
    public <T> T inTransaction(Supplier<T> work) {
        JdbcTransaction outer = current.get();
        try {
            return this.<T, RuntimeException>begin(connection -> work.get());
        } catch (SQLException e) { // not from the work, which throws none
            throw SqlErrors.translate("begin or commit", "the transaction", e);
        } finally {
            if (outer != null) {
                current.set(outer);
            }
        }
    }

    private <T extends @Nullable Object, E extends Exception> T joined(JdbcTransaction outer, Call<T, E> work)
            throws SQLException, E {
        boolean returned = false;
        try {
            T result = work.on(outer.guarded());
            returned = true;
            return result;
        } finally {
            if (!returned) {
                outer.doom();
            }
        }
    }

    private <T extends @Nullable Object, E extends Exception> T begin(Call<T, E> work) throws SQLException, E {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            JdbcTransaction transaction = new JdbcTransaction(connection);
            current.set(transaction);
            try {
                T result = work.on(transaction.guarded());
                transaction.commit();
                return result;
            } finally {
                current.remove();
                transaction.rollbackUnlessCommitted();
                if (autoCommit) {
                    transaction.restoreAutoCommit();
                }
            }
        }
    }

    @Override
    public Connection current() {
        return transaction().guarded();
    }

    @Override
    public <T extends Observer> T join(Object owner, Class<T> type, Supplier<T> firstTime) {
        return transaction().join(owner, type, firstTime);
    }

    private JdbcTransaction transaction() {
        JdbcTransaction transaction = current.get();
        if (transaction == null) {
            throw new NoTransactionException(
                    "publishing needs a transaction of this thread: wrap the business code and the publish call in "
                            + "JdbcTransactions.run(connection -> ...)");
        }
        return transaction;
    }
}
