package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.Admission;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks for events in the caller's transaction: with one statement when they are new. */
sealed interface InboxAdmitter permits InboxInsertingAdmitter, InboxAdvisoryLockAdmitter {

    Admission admit(Connection connection, Event event, String group) throws SQLException;

    static InboxAdmitter of(InboxTable table) {
        return table.dialect() == Dialect.POSTGRESQL
                ? new InboxAdvisoryLockAdmitter(table)
                : new InboxInsertingAdmitter(table);
    }

    /** What the table says about an event. */
    record Known(String eventId, @Nullable String group, boolean done, int attempts) {

        static List<Known> read(Connection connection, SqlCall call, InboxTable table) throws SQLException {
            return call.query(connection, row -> of(row, table));
        }

        private static Known of(ResultSet row, InboxTable table) throws SQLException {
            boolean states = table.has(InboxColumn.STATUS);
            return new Known(
                    row.getString(1), row.getString(2), !states || row.getInt(3) == 1, states ? row.getInt(4) : 0);
        }

        /**
         * Where each event has one consumer, a row of somebody else must not pass for ours: the event would be lost here.
         * Neither must a row of another event that the table's collation takes for ours.
         */
        Known checked(Event event, String asking, InboxTable table) {
            boolean sameGroup = group == null || table.mapping().oneConsumerPerEvent() || same(group, asking);
            if (!same(eventId, event.eventId()) || !sameGroup) {
                throw new StoreException(
                        StoreException.Reason.VALUE,
                        "event '" + event.eventId() + "' of group '" + asking + "' cannot be told from '" + eventId
                                + "' of group '" + group + "' in " + table.name()
                                + ": give its key columns a collation that compares exactly",
                        null);
            }
            if (table.mapping().oneConsumerPerEvent() && group != null && !group.equals(asking)) {
                throw SqlErrors.misconfigured("event " + event.eventId() + " was consumed by " + group + ", and "
                        + table.name() + " keeps one consumer per event: give group " + asking
                        + " a consume log of its own");
            }
            return this;
        }
    }

    /** Columns of fixed width come back with blanks behind. */
    private static boolean same(String stored, String asked) {
        return stored.equals(asked) || stored.stripTrailing().equals(asked);
    }

    static StoreException vanished(Event event, InboxTable table) {
        return new StoreException(
                StoreException.Reason.CONFLICT,
                "the row of event " + event.eventId() + " in " + table.name() + " was there and is gone",
                null);
    }
}
