package dev.waybill.jdbc;

import dev.waybill.message.LogText;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.Transactions.Observer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.IdentityHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One open transaction of a thread: its connection, which refuses to be committed by others, and the observers of its end. */
final class JdbcTransaction {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcTransaction.class);

    private enum Progress {
        OPEN,
        DOOMED,
        COMMITTED,
        OVER
    }

    static final String READ_ONLY = "publishing needs a transaction that writes; this one's connection is read-only";

    private final Connection connection;
    private final Connection guarded;
    private final IdentityHashMap<Object, Observer> observers = new IdentityHashMap<>();
    private Progress progress = Progress.OPEN;

    JdbcTransaction(Connection connection) {
        this.connection = connection;
        this.guarded = (Connection) Proxy.newProxyInstance(
                JdbcTransaction.class.getClassLoader(), new Class<?>[] {Connection.class}, this::intercept);
    }

    Connection guarded() {
        return guarded;
    }

    <T extends Observer> T join(Object owner, Class<T> type, Supplier<T> firstTime) {
        try {
            // MySQL's own driver would ask the server for every event; there the INSERT is refused
            boolean asksServer = connection.getMetaData().getDriverName().startsWith("MySQL");
            if (!asksServer && connection.isReadOnly()) {
                throw new NoTransactionException(READ_ONLY);
            }
        } catch (SQLException e) {
            throw SqlErrors.translate("join", "the transaction", e);
        }
        return type.cast(observers.computeIfAbsent(owner, first -> firstTime.get()));
    }

    void doom() {
        progress = Progress.DOOMED;
    }

    void commit() throws SQLException {
        if (progress == Progress.DOOMED) {
            throw new SQLException("rolled back: work that joined this transaction failed", "40000");
        }
        if (AbortedTransactions.contain(connection)) {
            throw new SQLException("rolled back: a statement of this transaction failed", "25P02");
        }
        connection.commit();
        progress = Progress.COMMITTED;
        tell(Observer::committed);
    }

    /** Also after a failed commit, whose outcome nobody knows. */
    void rollbackUnlessCommitted() {
        if (progress == Progress.COMMITTED) {
            return;
        }
        progress = Progress.OVER;
        try {
            connection.rollback();
        } catch (SQLException e) {
            LOG.warn(
                    "[JdbcTransactions] rollback failed; the database undoes it when the connection is gone",
                    LogText.thrown(e));
        } finally {
            tell(Observer::notCommitted);
        }
    }

    void restoreAutoCommit() {
        try {
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            LOG.warn("[JdbcTransactions] could not give the connection back as it came", LogText.thrown(e));
        }
    }

    private @Nullable Object intercept(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        switch (name) {
            case "commit", "close", "abort", "setAutoCommit" -> throw refused(name);
            case "rollback" -> {
                if (arguments == null || arguments.length == 0) {
                    throw refused(name);
                }
            }
            case "equals" -> {
                return arguments != null && proxy == arguments[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            default -> {}
        }
        Object result = invoke(method, arguments);
        if (name.equals("setSavepoint") && result != null) {
            tell(observer -> observer.savepoint(result));
        } else if (name.equals("rollback") && arguments != null && arguments[0] instanceof Savepoint savepoint) {
            tell(observer -> observer.rolledBackTo(savepoint));
        }
        return result;
    }

    private @Nullable Object invoke(Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static SQLException refused(String method) {
        return new SQLException(
                "the transaction is JdbcTransactions' to end: don't call " + method
                        + " here; return to commit, throw to roll back",
                "25000");
    }

    private void tell(Consumer<Observer> what) {
        for (Observer observer : observers.values()) {
            try {
                what.accept(observer);
            } catch (RuntimeException e) {
                LOG.error("[JdbcTransactions] an observer threw, which it must not", LogText.thrown(e));
            }
        }
    }
}
