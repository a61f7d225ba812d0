package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore;
import dev.waybill.store.NoTransactionException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A consume log in a table of MySQL, MariaDB, PostgreSQL or H2, laid out as its {@link InboxMapping} says.
 *
 * <p>{@link #admit} and {@link #settle} use the caller's connection and nothing else: a crash rolls the row back together
 * with the business writes, so that nothing is ever stuck. A second copy of an event waits about a second at most for the
 * first (on PostgreSQL it does not wait at all) and is then told AlreadyDone or InProgress; the caller's own statements
 * keep their time-outs. Where the database ends a transaction to solve a deadlock, or will not serialise it, that is a
 * StoreException with the reason CONFLICT: roll back and ask again. Failures and sweeps are short transactions of their
 * own. The table is looked up on first use; {@link #verify} does so at start-up and says what is wrong.
 */
public final class JdbcInboxStore implements InboxStore {

    private final InboxMapping mapping;
    private final CallerConnection caller;
    private final SqlConnections connections;
    private final DatabaseProbe probe;
    private final @Nullable RowArchive archive;
    private final AtomicReference<@Nullable String> onlyGroup = new AtomicReference<>();
    private volatile @Nullable Verbs verbs;

    private JdbcInboxStore(Builder parts) {
        this.mapping = parts.mapping;
        this.caller = parts.caller;
        this.connections = new SqlConnections(parts.dataSource);
        this.probe = new DatabaseProbe(parts.probed);
        this.archive = parts.archive;
    }

    /** Starts with the DataSource of the store's own short transactions. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    @Override
    public Admission admit(Event event, String group) {
        Connection connection = caller.current();
        try {
            return verbs(connection).admitter().admit(connection, event, group);
        } catch (SQLException e) {
            throw SqlErrors.translate("admit", mapping.table(), e);
        }
    }

    @Override
    public void settle(Event event, String group, Admission.Admitted admitted, HandlerResult result, Duration cost) {
        Connection connection = caller.current();
        try {
            verbs(connection).settler().settle(connection, event, group, result, cost);
        } catch (SQLException e) {
            throw SqlErrors.translate("settle", mapping.table(), e);
        }
    }

    @Override
    public void fail(Event event, String group, String error) {
        verbs().failureWriter().fail(event, group, error);
    }

    @Override
    public Optional<String> lastError(String eventId, String group) {
        return verbs().failureWriter().lastError(eventId, group);
    }

    @Override
    public boolean answers() {
        return probe.answers();
    }

    @Override
    public boolean isTransient(Throwable failure) {
        return SqlErrors.isTransient(failure);
    }

    @Override
    public int sweep(Duration olderThan, int limit) {
        return verbs().sweeper().sweep(olderThan, limit);
    }

    @Override
    public int sweepFailed(Duration olderThan, int limit) {
        return verbs().sweeper().sweepFailed(olderThan, limit);
    }

    @Override
    public void verify(String group) {
        verbs = null; // the table may have been repaired since
        Verbs fresh = verbs();
        connections.borrow("verify", mapping.table(), connection -> {
            InboxChecks.check(connection, fresh.table(), group);
            return fresh;
        });
        if (mapping.oneConsumerPerEvent() && !onlyGroup.compareAndSet(null, group)) {
            String first = Objects.requireNonNull(onlyGroup.get());
            if (!first.equals(group)) {
                throw InboxChecks.secondGroup(fresh.table(), first, group);
            }
        }
    }

    private Verbs verbs() {
        Verbs known = verbs;
        return known != null ? known : connections.borrow("look up", mapping.table(), this::verbs);
    }

    private Verbs verbs(Connection connection) throws SQLException {
        Verbs known = verbs;
        if (known == null) {
            known = Verbs.of(InboxTable.open(connection, mapping), connections, archive);
            verbs = known;
        }
        return known;
    }

    /** What the store does, each verb in a class of its own. */
    private record Verbs(
            InboxTable table,
            InboxAdmitter admitter,
            InboxSettler settler,
            InboxFailureWriter failureWriter,
            InboxRowSweeper sweeper) {

        static Verbs of(InboxTable table, SqlConnections connections, @Nullable RowArchive archive) {
            return new Verbs(
                    table,
                    InboxAdmitter.of(table),
                    new InboxSettler(table),
                    new InboxFailureWriter(table, connections),
                    new InboxRowSweeper(table, connections, archive));
        }
    }

    /** Collects a store's parts. */
    public static final class Builder {

        private final DataSource dataSource;
        private DataSource probed;
        private CallerConnection caller = Builder::nobody;
        private InboxMapping mapping = InboxLayouts.waybill();
        private @Nullable RowArchive archive;

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
            this.probed = dataSource;
        }

        private static Connection nobody() {
            throw new NoTransactionException("this store cannot admit: give its builder a callerConnection");
        }

        /** The way to the caller's transaction. A store that only sweeps and reads needs none. */
        public Builder callerConnection(CallerConnection caller) {
            this.caller = caller;
            return this;
        }

        /**
         * Where {@link JdbcInboxStore#answers} gets its connection. The same database through connections that no handler
         * uses: a pool in which none is free looks much like a database that is down. Default: the store's own DataSource.
         */
        public Builder probed(DataSource probed) {
            this.probed = Objects.requireNonNull(probed, "probed");
            return this;
        }

        /** How the table is laid out. Default: {@link InboxLayouts#waybill()}. */
        public Builder mapping(InboxMapping mapping) {
            this.mapping = mapping;
            return this;
        }

        /** Where rows go before they are swept. By default they are only deleted. */
        public Builder archive(@Nullable RowArchive archive) {
            this.archive = archive;
            return this;
        }

        /** Makes the store; connects to nothing yet. */
        public JdbcInboxStore build() {
            return new JdbcInboxStore(this);
        }
    }
}
