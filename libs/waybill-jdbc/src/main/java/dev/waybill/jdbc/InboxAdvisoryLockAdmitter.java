package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.Admission;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * For PostgreSQL, where a wait that is given up would end the caller's transaction: whoever handles an event holds an
 * advisory lock of that name until its transaction ends, and who does not get it at once comes back later. Nobody waits
 * and nothing fails. The unique key decides all the same; the lock only keeps others from running into it.
 */
final class InboxAdvisoryLockAdmitter implements InboxAdmitter {

    private static final String TAKE = """
            INSERT INTO {table} AS mine ({columns}, {status}[, {attempts}])
            SELECT {values}, {PROCESSING}[, {none}]
            WHERE pg_try_advisory_xact_lock(:lock)
            ON CONFLICT ({key}) DO UPDATE
            SET {status} = {PROCESSING}[, {updatedAt} = {now}]
            WHERE mine.{status} NOT IN ({done})
            RETURNING {failuresOfMine}""";

    private static final String TAKE_NEW = """
            INSERT INTO {table} ({columns})
            SELECT {values}
            WHERE pg_try_advisory_xact_lock(:lock)
            ON CONFLICT ({key}) DO NOTHING
            RETURNING 0""";

    private static final String LOOK = "SELECT {known} FROM {table} WHERE {mine}";

    private final InboxTable table;
    private final String take;
    private final String look;

    InboxAdvisoryLockAdmitter(InboxTable table) {
        this.table = table;
        this.take = table.has(InboxColumn.STATUS)
                ? table.sql(TAKE.replace("{failuresOfMine}", table.has(InboxColumn.ATTEMPTS) ? "mine.{attempts}" : "0"))
                : table.sql(TAKE_NEW);
        this.look = table.sql(LOOK);
    }

    @Override
    public Admission admit(Connection connection, Event event, String group) throws SQLException {
        List<Integer> taken =
                table.about(take, event, group).set("lock", lock(event, group)).query(connection, row -> row.getInt(1));
        if (!taken.isEmpty()) {
            return new Admission.Admitted(event.eventId(), taken.get(0));
        }
        List<Known> rows = Known.read(connection, table.about(look, event, group), table);
        boolean done =
                !rows.isEmpty() && rows.get(0).checked(event, group, table).done();
        return done ? new Admission.AlreadyDone() : new Admission.InProgress();
    }

    /** Two events with the same number only wait for each other. */
    private long lock(Event event, String group) {
        String owner = table.mapping().oneConsumerPerEvent() ? "" : group;
        try {
            byte[] name = MessageDigest.getInstance("SHA-256")
                    .digest((table.name() + '\n' + owner + '\n' + event.eventId()).getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(name).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
