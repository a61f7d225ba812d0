package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.Admission;
import dev.waybill.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * For databases where a statement that failed leaves its transaction usable: inserts, and looks when the row is there.
 *
 * <p>An insert that meets another's uncommitted row waits for it, briefly. When that one rolls back and several waited,
 * InnoDB gives the row to one and ends the others as deadlocks; they come as CONFLICT, with nothing done yet. A row that is
 * there is first read under the shared lock that the insert left on it: asking for more at once would make two repeats of
 * a done event deadlock.
 */
final class InboxInsertingAdmitter implements InboxAdmitter {

    private static final String INSERT = """
            {briefly}INSERT INTO {table} ({columns}[, {status}][, {attempts}])
            VALUES ({values}[, {PROCESSING}][, {none}])""";

    private static final String LOOK_SHARED = "{briefly}SELECT {known} FROM {table} WHERE {mine} LOCK IN SHARE MODE";

    private static final String LOOK_ALONE = "SELECT {known} FROM {table} WHERE {mine} FOR UPDATE";

    private static final String RESUME = """
            {briefly}UPDATE {table}
            SET {status} = {PROCESSING}[, {updatedAt} = {now}]
            WHERE {mine}""";

    /** InnoDB's lock wait time-out, and H2's. */
    private static final int WAITED_INNODB = 1205;

    private static final String WAITED_H2 = "HYT00";

    private final InboxTable table;
    private final SqlLockTimeout wait;
    private final String insert;
    private final String look;
    private final String resume;

    InboxInsertingAdmitter(InboxTable table) {
        this.table = table;
        this.wait = SqlLockTimeout.of(table.dialect());
        this.insert = table.sql(INSERT);
        this.look = table.sql(table.dialect().isMySqlFamily() ? LOOK_SHARED : LOOK_ALONE);
        this.resume = table.has(InboxColumn.STATUS) ? table.sql(RESUME) : "";
    }

    @Override
    public Admission admit(Connection connection, Event event, String group) throws SQLException {
        return wait.during(connection, () -> {
            try {
                return insert(connection, event, group) ? admitted(event, 0) : resume(connection, event, group);
            } catch (SQLException e) {
                if (e.getErrorCode() == WAITED_INNODB || WAITED_H2.equals(e.getSQLState())) {
                    return new Admission.InProgress();
                }
                throw e;
            }
        });
    }

    private boolean insert(Connection connection, Event event, String group) throws SQLException {
        try {
            table.about(insert, event, group).update(connection);
            return true;
        } catch (SQLException e) {
            if (SqlErrors.reason(e) == Reason.DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    private Admission resume(Connection connection, Event event, String group) throws SQLException {
        List<Known> rows = Known.read(connection, table.about(look, event, group), table);
        if (rows.isEmpty()) {
            throw InboxAdmitter.vanished(event, table);
        }
        Known known = rows.get(0).checked(event, group, table);
        if (known.done()) {
            return new Admission.AlreadyDone();
        }
        table.about(resume, event, group).update(connection);
        return admitted(event, known.attempts());
    }

    private static Admission admitted(Event event, int attempts) {
        return new Admission.Admitted(event.eventId(), attempts);
    }
}
