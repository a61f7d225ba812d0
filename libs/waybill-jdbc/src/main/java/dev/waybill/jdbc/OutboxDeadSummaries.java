package dev.waybill.jdbc;

import dev.waybill.store.OutboxStore.DeadSummary;
import dev.waybill.store.UnreadableRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads DEAD rows without their payloads, in the order of their keys. However many they are, few are held at once. */
final class OutboxDeadSummaries {

    private static final String PAGE = """
            SELECT {rowWithoutPayload}[, {error} AS wb_error] FROM {table} {byDead}
            WHERE {status} = {DEAD}[ AND {due} = {deadDue}] AND :range
            ORDER BY {key}
            LIMIT :limit""";

    private static final int AT_ONCE = 1_000;

    private final OutboxTable table;
    private final OutboxRowCodec codec;
    private final @Nullable OutboxAttemptLog attempts;
    private final String page;

    OutboxDeadSummaries(OutboxTable table, OutboxRowCodec codec, @Nullable OutboxAttemptLog attempts) {
        this.table = table;
        this.codec = codec;
        this.attempts = attempts;
        this.page = table.sql(PAGE, Map.of("byDead", table.mapping().parksSettled() ? "{byDue}" : ""));
    }

    List<DeadSummary> page(Connection connection, int limit, @Nullable String after) throws SQLException {
        List<DeadSummary> rows = read(connection, limit, after);
        if (attempts == null || rows.isEmpty()) {
            return rows;
        }
        Map<String, String> errors = attempts.lastErrors(
                connection, rows.stream().map(DeadSummary::eventId).toList());
        return rows.stream()
                .map(row -> new DeadSummary(row.rowKey(), row.eventId(), row.type(), errors.get(row.eventId())))
                .toList();
    }

    /** The keys of the DEAD rows that have these ids, one for each; reads no further than to the last of them. */
    List<String> keysOf(Connection connection, Set<String> eventIds) throws SQLException {
        Set<String> wanted = new HashSet<>(eventIds);
        List<String> keys = new ArrayList<>();
        String after = null;
        while (!wanted.isEmpty()) {
            List<DeadSummary> rows = read(connection, AT_ONCE, after);
            for (DeadSummary row : rows) {
                if (wanted.remove(row.eventId())) {
                    keys.add(row.rowKey());
                }
                after = row.rowKey();
            }
            if (rows.size() < AT_ONCE) {
                break;
            }
        }
        return keys;
    }

    private List<DeadSummary> read(Connection connection, int limit, @Nullable String after) throws SQLException {
        SqlCall call = new SqlCall(page).set("limit", (long) limit);
        if (after == null) {
            call.part("range", "1 = 1", List.of());
        } else {
            OutboxColumn key = table.mapping().key();
            String behind = table.quoted(key) + " > " + table.parameter(key, "?");
            call.part("range", behind, List.of(table.keyValue(after)));
        }
        return call.query(connection, this::summary);
    }

    private DeadSummary summary(ResultSet result) throws SQLException {
        OutboxRow row = OutboxRow.read(result, 1, table, codec);
        String type = row.content() instanceof OutboxRowContent.EventRow readable
                ? readable.event().type()
                : UnreadableRow.TYPE;
        String error = table.has(OutboxColumn.ERROR) ? result.getString("wb_error") : null;
        return new DeadSummary(row.key(), row.eventId(), type, error);
    }
}
