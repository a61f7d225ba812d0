package dev.waybill.jdbc;

import dev.waybill.store.EventFilter;
import dev.waybill.store.FailedAttempt;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.StoredEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads an outbox table of MySQL, MariaDB, PostgreSQL or H2 for people. The indexes that {@link Ddl#printSearchIndexes} names make
 * keys and traces quick to find; without them a search walks back through the table, page by page.
 */
public final class JdbcOutboxReader implements OutboxReader {

    private final OutboxMapping mapping;
    private final String source;
    private final SqlConnections connections;
    private volatile @Nullable Parts parts;

    /**
     * Makes the reader; connects to nothing yet.
     *
     * @param source the publishing application's name, as {@link JdbcOutboxStore.Builder#source} has it
     */
    public JdbcOutboxReader(DataSource dataSource, OutboxMapping mapping, String source) {
        this.mapping = mapping;
        this.source = source;
        this.connections = new SqlConnections(dataSource);
    }

    @Override
    public Set<EventFilter.Field> fields() {
        return parts().conditions().fields();
    }

    @Override
    public Page search(EventFilter filter, int limit, @Nullable String after) {
        if (limit < 1 || limit > LARGEST_PAGE) {
            throw new IllegalArgumentException("a page has 1 to " + LARGEST_PAGE + " rows, was " + limit);
        }
        return once("search", (connection, known) -> known.search().page(connection, filter, limit, after));
    }

    @Override
    public Optional<StoredEvent> find(String rowKey) {
        return once("find", (connection, known) -> {
            Optional<StoredEvent> stored = known.events().find(connection, rowKey);
            return stored.isPresent() && !known.table().has(OutboxColumn.ERROR)
                    ? Optional.of(withLastError(connection, known, stored.get()))
                    : stored;
        });
    }

    private static StoredEvent withLastError(Connection connection, Parts known, StoredEvent stored)
            throws SQLException {
        String id = stored.found().eventId();
        String error = known.attempts().lastErrors(connection, List.of(id)).get(id);
        return new StoredEvent(
                stored.found(), stored.event(), stored.dueAt(), stored.sentAt(), stored.brokerId(), error);
    }

    @Override
    public List<FailedAttempt> attempts(String eventId, int limit) {
        return once(
                "attempts",
                (connection, known) -> known.table().keepsAttempts()
                        ? known.attempts().ofEvent(connection, eventId, limit)
                        : List.of());
    }

    @Override
    public List<FailedAttempt> latestAttempts(int limit) {
        return once(
                "attempts",
                (connection, known) ->
                        known.table().keepsAttempts() ? known.attempts().latest(connection, limit) : List.of());
    }

    private interface Work<T> {
        T on(Connection connection, Parts parts) throws SQLException;
    }

    private <T> T once(String verb, Work<T> work) {
        Parts known = parts();
        return connections.once(
                verb, mapping.table(), known.table().dialect(), connection -> work.on(connection, known));
    }

    private Parts parts() {
        Parts known = parts;
        if (known == null) {
            known = connections.borrow(
                    "look up", mapping.table(), connection -> parts(OutboxTable.open(connection, mapping, source)));
            parts = known;
        }
        return known;
    }

    private static Parts parts(OutboxTable table) {
        OutboxConditions conditions = new OutboxConditions(table);
        OutboxEventReader events = new OutboxEventReader(table, conditions);
        return new Parts(
                table,
                conditions,
                events,
                new OutboxSearch(table, conditions, events),
                new OutboxAttemptLog(table, NodeName.current()));
    }

    private record Parts(
            OutboxTable table,
            OutboxConditions conditions,
            OutboxEventReader events,
            OutboxSearch search,
            OutboxAttemptLog attempts) {}
}
