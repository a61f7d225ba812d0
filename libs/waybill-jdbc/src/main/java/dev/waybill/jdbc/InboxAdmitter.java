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
    record Known(@Nullable String group, boolean done, int attempts) {

        static List<Known> read(Connection connection, SqlCall call, InboxTable table) throws SQLException {
            return call.query(connection, row -> of(row, table));
        }

        private static Known of(ResultSet row, InboxTable table) throws SQLException {
            boolean states = table.has(InboxColumn.STATUS);
            return new Known(row.getString(1), !states || row.getInt(2) == 1, states ? row.getInt(3) : 0);
        }

        /**
         * Where each event has one consumer, a row of somebody else must not pass for ours: the event would be lost here.
         */
        Known checked(Event event, String asking, InboxTable table) {
            if (table.mapping().oneConsumerPerEvent() && group != null && !group.equals(asking)) {
                throw SqlErrors.misconfigured("event " + event.eventId() + " was consumed by " + group + ", and "
                        + table.name() + " keeps one consumer per event: give group " + asking
                        + " a consume log of its own");
            }
            return this;
        }
    }

    static StoreException vanished(Event event, InboxTable table) {
        return new StoreException(
                StoreException.Reason.CONFLICT,
                "the row of event " + event.eventId() + " in " + table.name() + " was there and is gone",
                null);
    }
}
