package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.EventState;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.StoredEvent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes what people see of an outbox's rows: a line of a list, or all that a row says. */
final class OutboxEventReader {

    private static final String ONE = """
            SELECT {row}, {status} AS wb_state, {bornMicros} AS wb_born, {dueEpoch} AS wb_due_at, {sentEpoch} AS wb_sent_at,
                {brokerText} AS wb_broker, {errorText} AS wb_error
            FROM {table} {byKey}
            WHERE {key} = {wanted}""";

    private final OutboxTable table;
    private final OutboxConditions conditions;
    private final OutboxRowCodec codec;
    private final String one;

    OutboxEventReader(OutboxTable table, OutboxConditions conditions) {
        this.table = table;
        this.conditions = conditions;
        this.codec = new OutboxRowCodec(table);
        Map<String, String> placeholders = new HashMap<>();
        placeholders.put("bornMicros", bornMicros());
        placeholders.put("dueEpoch", table.times().epochMicros(table.quoted(OutboxColumn.DUE)));
        placeholders.put(
                "sentEpoch",
                table.has(OutboxColumn.SENT_AT)
                        ? table.times().epochMicros(table.quoted(OutboxColumn.SENT_AT))
                        : "NULL");
        placeholders.put("brokerText", columnOr(OutboxColumn.BROKER_ID));
        placeholders.put("errorText", columnOr(OutboxColumn.ERROR));
        placeholders.put("wanted", table.parameter(table.mapping().key(), ":key"));
        this.one = table.sql(ONE, placeholders);
    }

    private String columnOr(OutboxColumn column) {
        return table.has(column) ? table.quoted(column) : "NULL";
    }

    /** The expression for when a row was written. */
    String bornMicros() {
        OutboxColumn born = conditions.timeColumn();
        return born == null ? "NULL" : table.times().epochMicros(table.quoted(born));
    }

    Optional<StoredEvent> find(Connection connection, String rowKey) throws SQLException {
        if (!conditions.fits(table.mapping().key(), rowKey)) {
            return Optional.empty();
        }
        List<StoredEvent> stored =
                new SqlCall(one).set("key", table.keyValue(rowKey)).query(connection, this::stored);
        return stored.stream().findFirst();
    }

    FoundEvent found(ResultSet row) throws SQLException {
        OutboxRow read = OutboxRow.read(row, 1, table, codec);
        return found(read, row.getString("wb_state"), instant(row, "wb_born"));
    }

    private StoredEvent stored(ResultSet row) throws SQLException {
        OutboxRow read = OutboxRow.read(row, 1, table, codec);
        FoundEvent found = found(read, row.getString("wb_state"), instant(row, "wb_born"));
        boolean waits = found.state() == EventState.NEW || found.state() == EventState.RETRY;
        return new StoredEvent(
                found,
                event(read),
                waits ? instant(row, "wb_due_at") : null,
                instant(row, "wb_sent_at"),
                row.getString("wb_broker"),
                row.getString("wb_error"));
    }

    private FoundEvent found(OutboxRow row, String word, @Nullable Instant born) {
        return FoundEvent.of(
                row.key(), row.eventId(), event(row), conditions.state(word, row.attempts()), row.attempts(), born);
    }

    private static @Nullable Event event(OutboxRow row) {
        return row.content() instanceof OutboxRowContent.EventRow readable ? readable.event() : null;
    }

    private static @Nullable Instant instant(ResultSet row, String label) throws SQLException {
        long micros = row.getLong(label);
        return row.wasNull() ? null : SqlTimes.instantOf(micros);
    }
}
