package dev.waybill.jdbc;

import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What people decide about OPEN letters. Every decision is audited in its own transaction. */
final class DeadLetterOperatorActions {

    private static final String LOCK_OPEN = """
            SELECT {row} FROM {table}
            WHERE id IN (:ids) AND state = 'OPEN'
            ORDER BY id
            FOR UPDATE""";

    private static final String LOCK_ABANDONED = """
            SELECT {row} FROM {table}
            WHERE state = 'REPLAYING' AND changed_at <= {then}
            ORDER BY changed_at, id
            LIMIT :limit
            FOR UPDATE SKIP LOCKED""";

    private static final String MOVE = "UPDATE {table} SET state = :state, changed_at = {now} WHERE id IN (:ids)";

    private static final String EDIT = "UPDATE {table} SET body = :body, changed_at = {now} WHERE id = :id";

    private final DeadLetterTable table;
    private final SqlConnections connections;

    DeadLetterOperatorActions(DeadLetterTable table, SqlConnections connections) {
        this.table = table;
        this.connections = connections;
    }

    /** Moves those that are OPEN. A second caller waits for the first and then finds that they are not OPEN any more. */
    List<StoredLetter> move(String action, List<Long> ids, State to, OperatorDecision decision) {
        if (ids.isEmpty()) {
            return List.of();
        }
        return transaction(action, connection -> {
            List<StoredLetter> moved = new ArrayList<>();
            for (int from = 0; from < ids.size(); from += SqlCall.LONGEST_LIST) {
                List<StoredLetter> open =
                        open(connection, ids.subList(from, Math.min(ids.size(), from + SqlCall.LONGEST_LIST)));
                if (open.isEmpty()) {
                    continue;
                }
                audit(connection, action, decision, open, false);
                new SqlCall(table.sql(MOVE))
                        .set("state", to.name())
                        .list("ids", open.stream().map(StoredLetter::id).toList())
                        .update(connection);
                open.forEach(stored -> moved.add(in(to, stored)));
            }
            return moved;
        });
    }

    /** Takes letters whose replay was begun so long ago, and begins it anew. Nothing is audited, because no person decided it. */
    List<StoredLetter> takeOver(Duration begunBefore, int limit) {
        return transaction("TAKE OVER", connection -> {
            List<StoredLetter> abandoned = DeadLetterTable.read(
                    connection,
                    new SqlCall(table.sql(
                                    LOCK_ABANDONED, Map.of("then", table.times().plus("{now}", ":age"))))
                            .set("age", -table.times().ticks(begunBefore))
                            .set("limit", (long) limit));
            if (!abandoned.isEmpty()) {
                new SqlCall(table.sql(MOVE))
                        .set("state", State.REPLAYING.name())
                        .list("ids", abandoned.stream().map(StoredLetter::id).toList())
                        .update(connection);
            }
            return abandoned;
        });
    }

    boolean edit(long id, byte[] body, OperatorDecision decision) {
        return transaction("EDIT", connection -> {
            List<StoredLetter> open = open(connection, List.of(id));
            if (open.isEmpty()) {
                return false;
            }
            audit(connection, "EDIT", decision, open, true);
            new SqlCall(table.sql(EDIT)).set("body", body).set("id", id).update(connection);
            return true;
        });
    }

    private <T> T transaction(String action, SqlConnections.Work<T> work) {
        return connections.transaction(
                action.toLowerCase(Locale.ROOT), JdbcDeadLetterStore.TABLE, table.dialect(), work);
    }

    private List<StoredLetter> open(Connection connection, List<Long> ids) throws SQLException {
        return DeadLetterTable.read(connection, new SqlCall(table.sql(LOCK_OPEN)).list("ids", ids));
    }

    private void audit(
            Connection connection, String action, OperatorDecision decision, List<StoredLetter> letters, boolean bodies)
            throws SQLException {
        List<OperatorAuditLog.Entry> entries = letters.stream()
                .map(stored -> new OperatorAuditLog.Entry(
                        JdbcDeadLetterStore.TABLE,
                        stored.id(),
                        orEmpty(stored.eventId()),
                        orEmpty(stored.eventType()),
                        stored.replays(),
                        stored.letter().error(),
                        bodies ? text(stored.letter().body()) : ""))
                .toList();
        table.audit().write(connection, action, decision, entries);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** The body as it can be read; bytes that are no text are written as such. */
    private static String text(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            if (text.indexOf('\0') < 0) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // below
        }
        return "base64:" + Base64.getEncoder().encodeToString(body);
    }

    private static StoredLetter in(State state, StoredLetter stored) {
        return new StoredLetter(
                stored.id(),
                stored.letter(),
                stored.eventId(),
                stored.eventType(),
                state,
                stored.deadAt(),
                stored.changedAt(),
                stored.replays());
    }
}
