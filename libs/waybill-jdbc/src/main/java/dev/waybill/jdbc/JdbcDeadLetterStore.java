package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Envelope;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.StoreException.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters in the table {@code waybill_dead_letter} of MySQL, MariaDB, PostgreSQL or H2; decisions of operators in
 * {@code waybill_audit}, written in the decision's own transaction.
 *
 * <p>A row is one dead letter, named by source, group and the letter's key. The same letter collected again, after a crash
 * between saving it and removing it from the broker, changes nothing, whatever has become of the row since: a discarded
 * letter stays discarded and one that was replayed is not replayed twice. A message that was replayed and fails again is
 * another letter, to which brokers give another key: it is saved as a new OPEN row that counts the replays before it, and
 * the former row stays REPLAYED.
 */
public final class JdbcDeadLetterStore implements DeadLetterStore {

    static final String TABLE = "waybill_dead_letter";

    private static final String SAVE = """
            INSERT INTO {table} (source, consumer_group, letter_key, message_id, event_id, event_type, headers, body,
                error, state, replays, dead_at, changed_at)
            VALUES (:source, :group, :key, :messageId, :eventId, :eventType, :headers, :body,
                :error, 'OPEN', :replays, {now}, {now})""";

    private static final String UNLESS_THERE = " ON CONFLICT DO NOTHING";

    private static final String REPLAYS_BEFORE = """
            SELECT MAX(replays) FROM {table}
            WHERE event_id = :eventId AND source = :source AND consumer_group = :group""";

    private static final String LIST =
            "SELECT {row} FROM {table} WHERE id > :after AND :filter ORDER BY id LIMIT :limit";

    private static final String SUMMARIES =
            "SELECT {summary} FROM {table} WHERE id > :after AND :filter ORDER BY id LIMIT :limit";

    private static final String COUNT = "SELECT COUNT(*) FROM {table} WHERE :filter";

    private static final String FIND = "SELECT {row} FROM {table} WHERE id = :id";

    private static final String REPLAYED = """
            UPDATE {table}
            SET state = 'REPLAYED', replays = replays + 1, changed_at = {now}
            WHERE id = :id AND state = 'REPLAYING'""";

    private static final String REPLAY_FAILED = """
            UPDATE {table}
            SET state = 'OPEN', error = :error, changed_at = {now}
            WHERE id = :id AND state = 'REPLAYING'""";

    private static final String PUT_BACK =
            "UPDATE {table} SET state = 'OPEN', changed_at = {now} WHERE id = :id AND state = 'REPLAYING'";

    private final SqlConnections connections;
    private final @Nullable RowArchive archive;
    private volatile @Nullable DeadLetterTable table;

    /** Connects to nothing yet. */
    public JdbcDeadLetterStore(DataSource dataSource) {
        this(dataSource, null);
    }

    /** Connects to nothing yet. What is swept goes to the archive first, where there is one. */
    public JdbcDeadLetterStore(DataSource dataSource, @Nullable RowArchive archive) {
        this.connections = new SqlConnections(dataSource);
        this.archive = archive;
    }

    /** Checks the tables, so that a mistake shows at start-up with the fix named. */
    public void verify() {
        table = null; // it may have been repaired since
        count(Filter.any());
    }

    @Override
    public void save(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {
        DeadLetterTable known = table();
        SqlCall save = new SqlCall(known.sql(SAVE) + (known.dialect() == Dialect.POSTGRESQL ? UNLESS_THERE : ""))
                .set("source", known.whole("source", letter.source()))
                .set("group", known.whole("consumer_group", letter.group()))
                .set("key", known.whole("letter_key", letter.key()))
                .set("messageId", known.fit("message_id", letter.messageId()))
                .set("eventId", known.fit("event_id", eventId))
                .set("eventType", known.fit("event_type", eventType))
                .set("headers", Envelope.encodeHeaders(letter.headers()))
                .set("body", letter.body())
                .set("error", known.fit("error", letter.error()));
        once("save", known, connection -> {
            save.set("replays", eventId == null ? 0L : replaysBefore(connection, known, letter, eventId));
            try {
                return save.update(connection) == 1;
            } catch (SQLException e) {
                if (SqlErrors.reason(e) == Reason.DUPLICATE) {
                    return false;
                }
                throw e;
            }
        });
    }

    private static long replaysBefore(Connection connection, DeadLetterTable known, DeadLetter letter, String eventId)
            throws SQLException {
        return new SqlCall(known.sql(REPLAYS_BEFORE))
                .set("eventId", known.fit("event_id", eventId))
                .set("source", letter.source())
                .set("group", letter.group())
                .query(connection, row -> row.getLong(1))
                .get(0);
    }

    @Override
    public List<StoredLetter> list(Filter filter, int limit, long afterId) {
        DeadLetterTable known = table();
        SqlCall list = page(known, LIST, filter, limit, afterId);
        return once("list", known, connection -> DeadLetterTable.read(connection, list));
    }

    @Override
    public List<LetterSummary> summaries(Filter filter, int limit, long afterId) {
        DeadLetterTable known = table();
        SqlCall list = page(known, SUMMARIES, filter, limit, afterId);
        return once("list", known, connection -> list.query(connection, DeadLetterTable::summary));
    }

    private static SqlCall page(DeadLetterTable known, String statement, Filter filter, int limit, long afterId) {
        return new DeadLetterFilters(filter, known.times())
                .into(new SqlCall(known.sql(statement)).set("after", afterId).set("limit", (long) limit));
    }

    @Override
    public long count(Filter filter) {
        DeadLetterTable known = table();
        SqlCall count = new DeadLetterFilters(filter, known.times()).into(new SqlCall(known.sql(COUNT)));
        return once("count", known, connection -> count.query(connection, row -> row.getLong(1)))
                .get(0);
    }

    @Override
    public Optional<StoredLetter> find(long id) {
        DeadLetterTable known = table();
        SqlCall find = new SqlCall(known.sql(FIND)).set("id", id);
        return once("find", known, connection -> DeadLetterTable.read(connection, find)).stream()
                .findFirst();
    }

    @Override
    public boolean edit(long id, byte[] body, OperatorDecision decision) {
        return decisions().edit(id, body, decision);
    }

    @Override
    public List<StoredLetter> beginReplay(List<Long> ids, OperatorDecision decision) {
        return decisions().move("REPLAY", ids, State.REPLAYING, decision);
    }

    @Override
    public List<StoredLetter> takeOver(Duration begunBefore, int limit) {
        return decisions().takeOver(begunBefore, limit);
    }

    @Override
    public void replayed(long id) {
        DeadLetterTable known = table();
        SqlCall replayed = new SqlCall(known.sql(REPLAYED)).set("id", id);
        once("replayed", known, replayed::update);
    }

    @Override
    public void replayFailed(long id, String error) {
        DeadLetterTable known = table();
        SqlCall failed = new SqlCall(known.sql(REPLAY_FAILED)).set("id", id).set("error", known.fit("error", error));
        once("replayFailed", known, failed::update);
    }

    @Override
    public void putBack(long id) {
        DeadLetterTable known = table();
        SqlCall back = new SqlCall(known.sql(PUT_BACK)).set("id", id);
        once("putBack", known, back::update);
    }

    @Override
    public int discard(List<Long> ids, OperatorDecision decision) {
        return decisions().move("DISCARD", ids, State.DISCARDED, decision).size();
    }

    @Override
    public int sweepSettled(Duration olderThan, int limit) {
        AgedRowSweeper letters = table().sweeper(connections, archive);
        int replayed = letters.sweep(State.REPLAYED.name(), olderThan, limit);
        return replayed + letters.sweep(State.DISCARDED.name(), olderThan, limit - replayed);
    }

    @Override
    public int sweepAudit(Duration olderThan, int limit) {
        return table().auditSweeper(connections, archive).sweep(TABLE, olderThan, limit);
    }

    private DeadLetterOperatorActions decisions() {
        return new DeadLetterOperatorActions(table(), connections);
    }

    private <T> T once(String verb, DeadLetterTable known, SqlConnections.Work<T> work) {
        return connections.once(verb, TABLE, known.dialect(), work);
    }

    private DeadLetterTable table() {
        DeadLetterTable known = table;
        if (known == null) {
            known = connections.borrow("look up", TABLE, DeadLetterTable::open);
            table = known;
        }
        return known;
    }
}
