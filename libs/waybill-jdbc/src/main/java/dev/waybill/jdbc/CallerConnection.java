package dev.waybill.jdbc;

import dev.waybill.store.NoTransactionException;
import java.sql.Connection;

/**
 * Gives the connection of the calling thread's current transaction, so that events commit together with business data.
 * One implementation per way of managing transactions; {@link JdbcTransactions} is the one for plain Java.
 */
@FunctionalInterface
public interface CallerConnection {

    /**
     * The connection. It stays the caller's: nobody here commits, closes or changes it.
     *
     * @throws NoTransactionException without a transaction; the message names the fix
     */
    Connection current();
}
