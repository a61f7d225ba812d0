package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.RemoteCommits;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
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

    /** Claims, renewals and settlements take milliseconds; a server that is busy with something else gets some patience. */
    private static final Duration SHORTEST_ANSWER_LIMIT = Duration.ofSeconds(20);

    private final OutboxMapping mapping;
    private final String source;
    private final String node;
    private final CallerConnection caller;
    private final SqlConnections connections;
    private final SqlConnections relayConnections;
    private final boolean notifiesRelays;
    private final @Nullable DataSource listening;
    private final @Nullable RowArchive archive;
    private final SqlDatabaseClock clock = new SqlDatabaseClock();
    private final ClaimThrottle throttle = new ClaimThrottle();
    private volatile @Nullable Verbs verbs;

    private JdbcOutboxStore(Builder parts) {
        this.mapping = parts.mapping;
        this.source = parts.source;
        this.node = parts.node;
        this.caller = parts.caller;
        this.notifiesRelays = parts.notifiesRelays;
        this.listening = parts.listening;
        this.archive = parts.archive;
        this.connections = new SqlConnections(parts.dataSource);
        this.relayConnections = new SqlConnections(parts.dataSource, new SqlAnswerLimit(SHORTEST_ANSWER_LIMIT));
    }

    /** Starts with the DataSource of the relay's own short transactions. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /** How the table is laid out. */
    public OutboxMapping mapping() {
        return mapping;
    }

    /** The publishing application's name. */
    public String source() {
        return source;
    }

    @Override
    public List<ClaimedEvent> append(List<Event> events, @Nullable Lease lease) {
        if (events.isEmpty()) {
            return List.of();
        }
        Connection connection = caller.current();
        throttle.appended();
        try {
            return verbs(connection).appender().append(connection, events, lease);
        } catch (SQLException e) {
            StoreException failure = SqlErrors.translate("append", mapping.table(), e);
            if (failure.reason() == StoreException.Reason.FAILED && isReadOnly(connection, failure)) {
                throw new NoTransactionException(JdbcTransaction.READ_ONLY);
            }
            throw failure;
        }
    }

    private static boolean isReadOnly(Connection connection, StoreException failure) {
        try {
            return connection.isReadOnly();
        } catch (SQLException e) {
            failure.addSuppressed(e);
            return false;
        }
    }

    @Override
    public List<ClaimedEvent> committed(List<ClaimedEvent> appended) {
        return appended.isEmpty() ? List.of() : verbs().commitCheck().committed(appended);
    }

    @Override
    public List<ClaimedRow> claim(Lease lease, ClaimLimit limit, Set<String> exceptTopics) {
        connections.followLease(lease.duration());
        relayConnections.followLease(lease.duration());
        return limit.rows() <= 0 ? List.of() : verbs().claimer().claim(lease, limit, exceptTopics);
    }

    @Override
    public List<ClaimedEvent> renew(Lease lease, List<ClaimedEvent> claimedEvents) {
        return verbs().renewer().renew(lease, claimedEvents);
    }

    @Override
    public int settle(List<Settlement> settlements) {
        return settlements.isEmpty() ? 0 : verbs().settler().settle(settlements);
    }

    @Override
    public Backlog backlog() {
        return verbs().backlogCounter().backlog();
    }

    @Override
    public List<DeadEvent> dead(int limit) {
        return verbs().deadRows().dead(limit);
    }

    @Override
    public List<DeadSummary> deadSummaries(int limit, @Nullable String after) {
        return verbs().deadRows().summaries(limit, after);
    }

    @Override
    public int requeue(List<String> eventIds, OperatorDecision decision) {
        return verbs().deadRows().requeue(eventIds, decision);
    }

    @Override
    public boolean edit(String eventId, String payload, OperatorDecision decision) {
        return verbs().deadRows().edit(eventId, payload, decision);
    }

    @Override
    public int discard(List<String> eventIds, OperatorDecision decision) {
        return verbs().deadRows().discard(eventIds, decision);
    }

    @Override
    public int sweepSettled(Duration olderThan, int limit) {
        return verbs().sweeper().sweepSettled(olderThan, limit);
    }

    @Override
    public int sweepDead(Duration olderThan, int limit) {
        return verbs().sweeper().sweepDead(olderThan, limit);
    }

    @Override
    public int sweepAttempts(Duration olderThan, int limit) {
        return verbs().sweeper().sweepAttempts(olderThan, limit);
    }

    @Override
    public int sweepAudit(Duration olderThan, int limit) {
        return verbs().sweeper().sweepAudit(olderThan, limit);
    }

    @Override
    public void verify() {
        verbs = null; // the table may have been repaired since
        Verbs fresh = verbs();
        connections.borrow("verify", mapping.table(), connection -> {
            OutboxChecks.check(connection, fresh.table());
            return fresh;
        });
    }

    @Override
    public @Nullable RemoteCommits remoteCommits() {
        DataSource ownConnections = listening;
        if (ownConnections == null) {
            return null;
        }
        String channel = verbs().channel();
        return channel == null ? null : new PostgreSqlNotifications(ownConnections, mapping.table(), channel);
    }

    private Verbs verbs() {
        Verbs known = verbs;
        return known != null ? known : connections.borrow("look up", mapping.table(), this::verbs);
    }

    private Verbs verbs(Connection connection) throws SQLException {
        Verbs known = verbs;
        if (known == null) {
            OutboxTable table = OutboxTable.open(connection, mapping, source);
            boolean asksForChannel = table.dialect() == Dialect.POSTGRESQL && (notifiesRelays || listening != null);
            known = verbs(table, asksForChannel ? PostgreSqlChannel.of(connection, table) : null);
            verbs = known;
        }
        return known;
    }

    private Verbs verbs(OutboxTable table, @Nullable String channel) {
        OutboxRowCodec codec = new OutboxRowCodec(table);
        OutboxLeaseRenewer renewer = new OutboxLeaseRenewer(table, relayConnections, clock);
        return new Verbs(
                table,
                channel,
                new OutboxAppender(table, codec, clock, notifiesRelays ? channel : null),
                new OutboxCommitCheck(table, relayConnections),
                table.dialect() == Dialect.POSTGRESQL
                        ? new OutboxReturningClaimer(table, codec, relayConnections, clock)
                        : new OutboxLockingClaimer(table, codec, relayConnections, clock, throttle),
                renewer,
                new OutboxSettler(table, relayConnections, renewer, node),
                new OutboxBacklogCounter(table, connections),
                new OutboxDeadRows(table, codec, connections),
                new OutboxSweeper(table, connections, archive));
    }

    /** What the store does, each verb in a class of its own. */
    private record Verbs(
            OutboxTable table,
            @Nullable String channel,
            OutboxAppender appender,
            OutboxCommitCheck commitCheck,
            OutboxClaimer claimer,
            OutboxLeaseRenewer renewer,
            OutboxSettler settler,
            OutboxBacklogCounter backlogCounter,
            OutboxDeadRows deadRows,
            OutboxSweeper sweeper) {}

    /** Collects a store's parts. */
    public static final class Builder {

        private final DataSource dataSource;
        private CallerConnection caller = Builder::nobody;
        private OutboxMapping mapping = OutboxLayouts.waybill();
        private String source = "waybill";
        private String node = NodeName.current();
        private boolean notifiesRelays;
        private @Nullable DataSource listening;
        private @Nullable RowArchive archive;

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

        /** What this process is called where it writes down that a send failed. Default: its host and process id. */
        public Builder node(String node) {
            this.node = node;
            return this;
        }

        /**
         * Whether, on PostgreSQL, an append that no relay of this process takes over wakes relays in other processes when it
         * commits. Off by default: commits that notify go one by one on the whole server, and a transaction that has notified
         * cannot be prepared for a two-phase commit.
         */
        public Builder notifyRelays(boolean notifies) {
            this.notifiesRelays = notifies;
            return this;
        }

        /**
         * Where a relay on this store takes the one connection on which it listens for such commits, and keeps it while it
         * runs. By default it does not listen. Other databases than PostgreSQL have nothing to hear.
         */
        public Builder listenOn(DataSource listening) {
            this.listening = listening;
            return this;
        }

        /** Where rows go before they are swept. By default they are only deleted. */
        public Builder archive(@Nullable RowArchive archive) {
            this.archive = archive;
            return this;
        }

        /** Makes the store; connects to nothing yet. */
        public JdbcOutboxStore build() {
            return new JdbcOutboxStore(this);
        }
    }
}
