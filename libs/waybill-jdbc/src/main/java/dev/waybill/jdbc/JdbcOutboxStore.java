package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An outbox in a table of MySQL, MariaDB, PostgreSQL or H2, laid out as its {@link OutboxMapping} says.
 *
 * <p>Appends use the caller's connection and nothing else. Claims, renewals and settlements are short transactions on
 * connections of the DataSource; none is held while a broker is called. A relay that dies loses nothing: its leases run
 * out by the database's clock. A relay that wakes up late overwrites nothing: its fence no longer fits. The table is
 * looked up on first use; {@link #verify} does so at start-up and says what is wrong.
 */
public final class JdbcOutboxStore implements OutboxStore {

    private final OutboxMapping mapping;
    private final String source;
    private final CallerConnection caller;
    private final OutboxConnections sessions;
    private final SqlDatabaseClock clock = new SqlDatabaseClock();
    private final ClaimThrottle courtesy = new ClaimThrottle();
    private volatile @Nullable Verbs verbs;

    private JdbcOutboxStore(Builder parts) {
        this.mapping = parts.mapping;
        this.source = parts.source;
        this.caller = parts.caller;
        this.sessions = new OutboxConnections(parts.dataSource);
    }

    /** Starts with the DataSource of the relay's own short transactions. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public List<ClaimedEvent> append(List<Event> events, @Nullable Lease lease) {
        if (events.isEmpty()) {
            return List.of();
        }
        Connection connection = caller.current();
        courtesy.appended();
        try {
            return verbs(connection).appends().append(connection, events, lease);
        } catch (SQLException e) {
            throw SqlErrors.translate("append", mapping.table(), e);
        }
    }

    @Override
    public List<ClaimedRow> claim(Lease lease, int limit, Set<String> exceptTopics) {
        return limit <= 0 ? List.of() : verbs().claims().claim(lease, limit, exceptTopics);
    }

    @Override
    public List<ClaimedEvent> renew(Lease lease, List<ClaimedEvent> claimedEvents) {
        return verbs().held().renew(lease, claimedEvents);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return settlements.isEmpty() ? 0 : verbs().settlements().settle(settlements);
    }

    @Override
    public Backlog backlog() {
        return verbs().counts().backlog();
    }

    @Override
    public List<DeadEvent> dead(int limit) {
        return verbs().board().dead(limit);
    }

    @Override
    public int requeue(List<String> eventIds, OperatorDecision decision) {
        return verbs().board().requeue(eventIds, decision);
    }

    @Override
    public int discard(List<String> eventIds, OperatorDecision decision) {
        return verbs().board().discard(eventIds, decision);
    }

    @Override
    public void verify() {
        verbs = null; // the table may have been mended since
        Verbs fresh = verbs();
        sessions.borrow("verify", mapping.table(), connection -> {
            OutboxChecks.check(connection, fresh.table());
            return fresh;
        });
    }

    private Verbs verbs() {
        Verbs known = verbs;
        return known != null ? known : sessions.borrow("look up", mapping.table(), this::verbs);
    }

    private Verbs verbs(Connection connection) throws SQLException {
        Verbs known = verbs;
        if (known == null) {
            known = Verbs.of(OutboxTable.open(connection, mapping, source), sessions, clock, courtesy);
            verbs = known;
        }
        return known;
    }

    /** What the store does, each verb in a class of its own. */
    private record Verbs(
            OutboxTable table,
            OutboxAppender appends,
            OutboxClaimer claims,
            OutboxLeaseRenewer held,
            OutboxSettler settlements,
            OutboxBacklogCounter counts,
            OutboxDeadRows board) {

        static Verbs of(OutboxTable table, OutboxConnections sessions, SqlDatabaseClock clock, ClaimThrottle courtesy) {
            OutboxRowCodec codec = new OutboxRowCodec(table);
            OutboxLeaseRenewer held = new OutboxLeaseRenewer(table, sessions, clock);
            return new Verbs(
                    table,
                    new OutboxAppender(table, codec, clock),
                    table.dialect() == Dialect.POSTGRESQL
                            ? new OutboxReturningClaimer(table, codec, sessions, clock)
                            : new OutboxLockingClaimer(table, codec, sessions, clock, courtesy),
                    held,
                    new OutboxSettler(table, sessions, held),
                    new OutboxBacklogCounter(table, sessions),
                    new OutboxDeadRows(table, codec, sessions));
        }
    }

    /** Collects a store's parts. */
    public static final class Builder {

        private final DataSource dataSource;
        private CallerConnection caller = Builder::nobody;
        private OutboxMapping mapping = OutboxLayouts.waybill();
        private String source = "waybill";

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        private static Connection nobody() {
            throw new NoTransactionException("this store cannot append: give its builder a callerConnection");
        }

        /** The way to the caller's transaction. A store that only relays needs none. */
        public Builder callerConnection(CallerConnection caller) {
            this.caller = caller;
            return this;
        }

        /** How the table is laid out. Default: {@link OutboxLayouts#waybill()}. */
        public Builder mapping(OutboxMapping mapping) {
            this.mapping = mapping;
            return this;
        }

        /**
         * The publishing application's name. Rows that others wrote without an event id get one made of it, the table's
         * name and the row's key, so keep it stable.
         */
        public Builder source(String source) {
            if (source.isBlank()) {
                throw new IllegalArgumentException("the source is the application's name, was empty");
            }
            this.source = source;
            return this;
        }

        /** Makes the store; connects to nothing yet. */
        public JdbcOutboxStore build() {
            return new JdbcOutboxStore(this);
        }
    }
}
