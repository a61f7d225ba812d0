package dev.waybill.starter.transaction;

import dev.waybill.jdbc.CallerConnection;
import dev.waybill.store.NoTransactionException;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connection that Spring bound to the calling thread for its transaction. It never opens one: an INSERT on
 * another connection would commit without the business data.
 */
public final class SpringCallerConnection implements CallerConnection {

    private final DataSource dataSource;

    /**
     * The connection of this DataSource's transactions.
     *
     * @param dataSource the same as {@link SpringTransactions} has
     */
    public SpringCallerConnection(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection current() {
        if (TransactionSynchronizationManager.getResource(dataSource) instanceof ConnectionHolder holder) {
            return holder.getConnection();
        }
        throw new NoTransactionException(
                "No transaction of the outbox's DataSource is active: put @Transactional on the"
                        + " method that publishes.");
    }
}
