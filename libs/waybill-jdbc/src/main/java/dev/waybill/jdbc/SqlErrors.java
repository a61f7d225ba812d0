package dev.waybill.jdbc;

import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;

/** Tells database errors apart by SQLState and vendor code, never by their text. */
final class SqlErrors {

    /** MySQL's and MariaDB's own numbers, where the SQLState says too little. */
    private static final Map<Integer, Reason> MYSQL = Map.ofEntries(
            Map.entry(1020, Reason.CONFLICT), // record has changed since last read
            Map.entry(1205, Reason.CONFLICT), // lock wait timeout
            Map.entry(1213, Reason.CONFLICT), // deadlock
            Map.entry(3572, Reason.CONFLICT), // nowait: locked
            Map.entry(1062, Reason.DUPLICATE),
            Map.entry(1586, Reason.DUPLICATE),
            Map.entry(1048, Reason.VALUE), // column cannot be null
            Map.entry(1364, Reason.VALUE), // no default value
            Map.entry(1366, Reason.VALUE), // characters that the column cannot hold
            Map.entry(1406, Reason.VALUE), // too long
            Map.entry(1264, Reason.VALUE), // out of range
            Map.entry(1292, Reason.VALUE), // incorrect value
            Map.entry(1265, Reason.VALUE), // truncated
            Map.entry(1452, Reason.VALUE), // foreign key
            Map.entry(3140, Reason.VALUE), // not JSON
            Map.entry(3819, Reason.VALUE), // check constraint, MySQL
            Map.entry(4025, Reason.VALUE), // check constraint, MariaDB
            Map.entry(1044, Reason.MISCONFIGURED), // no access to the database
            Map.entry(1142, Reason.MISCONFIGURED), // no privilege on the table
            Map.entry(1143, Reason.MISCONFIGURED), // no privilege on the column
            Map.entry(1665, Reason.MISCONFIGURED), // READ COMMITTED with a statement-based binary log
            Map.entry(1040, Reason.UNAVAILABLE), // too many connections
            Map.entry(1053, Reason.UNAVAILABLE), // shutting down
            Map.entry(1290, Reason.UNAVAILABLE), // read-only: a replica, or a failover under way
            Map.entry(1927, Reason.UNAVAILABLE), // connection was killed
            Map.entry(4031, Reason.UNAVAILABLE)); // MySQL ended a connection that was silent for too long

    private static final Map<String, Reason> STATES = Map.ofEntries(
            Map.entry("40001", Reason.CONFLICT),
            Map.entry("40P01", Reason.CONFLICT),
            Map.entry("55P03", Reason.CONFLICT),
            Map.entry("HYT00", Reason.CONFLICT), // H2: lock time-out
            Map.entry("90131", Reason.CONFLICT), // H2: concurrent update
            Map.entry("23505", Reason.DUPLICATE),
            Map.entry("42501", Reason.MISCONFIGURED),
            Map.entry("42P01", Reason.MISCONFIGURED),
            Map.entry("42703", Reason.MISCONFIGURED),
            Map.entry("42S02", Reason.MISCONFIGURED),
            Map.entry("42S03", Reason.MISCONFIGURED),
            Map.entry("42S04", Reason.MISCONFIGURED),
            Map.entry("42S22", Reason.MISCONFIGURED),
            Map.entry("42000", Reason.MISCONFIGURED),
            Map.entry("3D000", Reason.MISCONFIGURED),
            Map.entry("3F000", Reason.MISCONFIGURED),
            Map.entry("90096", Reason.MISCONFIGURED), // H2: not enough rights
            Map.entry("25P03", Reason.UNAVAILABLE), // PostgreSQL ended a transaction that was silent for too long
            Map.entry("53300", Reason.UNAVAILABLE),
            Map.entry("57014", Reason.UNAVAILABLE),
            Map.entry("57P01", Reason.UNAVAILABLE),
            Map.entry("57P02", Reason.UNAVAILABLE),
            Map.entry("57P03", Reason.UNAVAILABLE),
            Map.entry("90067", Reason.UNAVAILABLE), // H2: connection broken
            Map.entry("90121", Reason.UNAVAILABLE)); // H2: database closed

    /** PostgreSQL: the transaction failed at an earlier statement. */
    private static final String ALREADY_FAILED = "25P02";

    private SqlErrors() {}

    /** The exception for a verb that failed on a table. */
    static StoreException translate(String verb, String table, SQLException cause) {
        Reason reason = reason(cause);
        return new StoreException(
                reason,
                verb + " on " + table + " failed (" + reason + ", SQLState " + cause.getSQLState() + ", code "
                        + cause.getErrorCode() + "): " + cause.getMessage(),
                cause);
    }

    /** The exception for a table, column or setting that a person has to change; the message names the fix. */
    static StoreException misconfigured(String message) {
        return new StoreException(Reason.MISCONFIGURED, message, null);
    }

    static Reason reason(SQLException cause) {
        for (Throwable link = cause; link != null; link = link.getCause()) {
            if (link instanceof InterruptedException) {
                return Reason.UNAVAILABLE; // a stop ended the wait for a connection
            }
            if (link instanceof SQLException sql) {
                if (ALREADY_FAILED.equals(sql.getSQLState())) {
                    return Reason
                            .FAILED; // an earlier statement failed and its error was ignored: this error says nothing
                    // about the reason
                }
                Reason reason = reasonOf(sql);
                if (reason != Reason.FAILED) {
                    return reason;
                }
            }
        }
        return Reason.FAILED;
    }

    /** Whether the same work may succeed when it is repeated, because the database was busy or away. */
    static boolean isTransient(Throwable failure) {
        Throwable link = failure;
        for (int depth = 0; link != null && depth < 50; depth++, link = link.getCause()) {
            Reason reason = link instanceof SQLException sql
                    ? reasonOf(sql)
                    : link instanceof StoreException store ? store.reason() : Reason.FAILED;
            if (reason == Reason.UNAVAILABLE || reason == Reason.CONFLICT) {
                return true;
            }
        }
        return false;
    }

    private static Reason reasonOf(SQLException cause) {
        Reason byCode = MYSQL.get(cause.getErrorCode());
        if (byCode != null) {
            return byCode;
        }
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        Reason byState = STATES.get(state);
        if (byState != null) {
            return byState;
        }
        if (state.startsWith("08")
                || cause instanceof SQLTransientConnectionException
                || cause instanceof SQLNonTransientConnectionException
                || cause instanceof SQLRecoverableException
                || cause instanceof SQLTimeoutException) {
            return Reason.UNAVAILABLE;
        }
        if (state.startsWith("22") || state.startsWith("23")) {
            return Reason.VALUE;
        }
        return state.startsWith("28") ? Reason.MISCONFIGURED : Reason.FAILED;
    }
}
