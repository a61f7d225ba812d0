package dev.waybill.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * The shipped DDL. Print it for your migration tool, or apply it: nothing that exists is touched, so that applying twice
 * is harmless.
 */
public final class Ddl {

    private Ddl() {}

    /** The layout's table and Waybill's own tables beside it, as statements that end in semicolons. */
    public static String print(Dialect dialect, OutboxMapping mapping) {
        return outbox(dialect, mapping) + "\n" + beside(dialect, mapping);
    }

    /**
     * Creates what is missing: the outbox table unless it exists, and Waybill's tables beside it.
     *
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void apply(DataSource dataSource, OutboxMapping mapping) {
        apply(dataSource, mapping.table(), (connection, dialect) -> {
            if (SqlTableMetadata.read(connection, mapping.table()) == null) {
                execute(connection, outbox(dialect, mapping));
            }
            execute(connection, beside(dialect, mapping));
        });
    }

    /**
     * The indexes by which people find an event's key or trace at once, as statements that end in semicolons. They are not part
     * of the tables, because every event would pay for them.
     */
    public static String printSearchIndexes(OutboxMapping mapping) {
        return SearchIndex.of(mapping).stream().map(SearchIndex::statement).collect(Collectors.joining());
    }

    /**
     * Creates those of the search indexes for which there is none yet.
     *
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void applySearchIndexes(DataSource dataSource, OutboxMapping mapping) {
        apply(dataSource, mapping.table(), (connection, dialect) -> {
            OutboxTable table = OutboxTable.open(connection, mapping, "");
            for (SearchIndex index : SearchIndex.of(mapping)) {
                if (table.dueIndex(index.column()) == null) {
                    execute(connection, index.statement());
                }
            }
        });
    }

    /** An index that begins with what people search by. */
    private record SearchIndex(OutboxMapping mapping, OutboxColumn column, String suffix) {

        static List<SearchIndex> of(OutboxMapping mapping) {
            return Stream.of(
                            new SearchIndex(mapping, OutboxColumn.BIZ_KEY, "idx_key"),
                            new SearchIndex(mapping, OutboxColumn.TRACE_ID, "idx_trace"))
                    .filter(index -> mapping.has(index.column()))
                    .toList();
        }

        String statement() {
            String table = mapping.table();
            String bare = table.substring(table.indexOf('.') + 1);
            return "CREATE INDEX " + bare + "_" + suffix + " ON " + table + " (" + mapping.column(column) + ");\n";
        }
    }

    /**
     * The same with the outbox in partitions of a period each, for Waybill's own layout on MySQL, MariaDB and PostgreSQL. The
     * store's sweeps make those of later periods and drop old ones.
     *
     * @param first in the first period; earlier than now for a table into which the rows of another one are moved
     * @throws IllegalArgumentException when the layout, the database or the period can have none
     */
    public static String print(Dialect dialect, OutboxMapping mapping, Duration period, Instant first) {
        return partitioned(dialect, mapping, period, first) + "\n" + beside(dialect, mapping);
    }

    /**
     * Creates what is missing, the outbox in partitions. A table that exists stays as it is.
     *
     * @param first in the first period
     * @throws IllegalArgumentException when the layout, the database or the period can have none
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void apply(DataSource dataSource, OutboxMapping mapping, Duration period, Instant first) {
        apply(dataSource, mapping.table(), (connection, dialect) -> {
            String ddl = partitioned(dialect, mapping, period, first);
            if (SqlTableMetadata.read(connection, mapping.table()) == null) {
                execute(connection, ddl);
            }
            execute(connection, beside(dialect, mapping));
        });
    }

    private static String partitioned(Dialect dialect, OutboxMapping mapping, Duration period, Instant first) {
        Instant now = Clock.systemUTC().instant();
        return DdlPartitions.add(outbox(dialect, mapping), dialect, mapping, period, first, now);
    }

    /** The consume log's table, as statements that end in semicolons. */
    public static String print(Dialect dialect, InboxMapping mapping) {
        InboxMapping shipped = InboxLayouts.named(mapping.layout());
        refuseUnknown(
                mapping.layout(),
                mapping.table(),
                shipped.columns().values().containsAll(mapping.columns().values()));
        return renamed(read(dialect, shipped.table()), shipped.table(), mapping.table());
    }

    /**
     * Creates the consume log unless it exists.
     *
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void apply(DataSource dataSource, InboxMapping mapping) {
        apply(dataSource, mapping.table(), (connection, dialect) -> {
            if (SqlTableMetadata.read(connection, mapping.table()) == null) {
                execute(connection, print(dialect, mapping));
            }
        });
    }

    /** The tables of {@link JdbcDeadLetterStore}, as statements that end in semicolons. */
    public static String printDeadLetters(Dialect dialect) {
        return read(dialect, JdbcDeadLetterStore.TABLE) + "\n" + read(dialect, OperatorAuditLog.TABLE);
    }

    /**
     * Creates the tables of {@link JdbcDeadLetterStore} unless they exist.
     *
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void applyDeadLetters(DataSource dataSource) {
        apply(
                dataSource,
                JdbcDeadLetterStore.TABLE,
                (connection, dialect) -> execute(connection, printDeadLetters(dialect)));
    }

    /** The table of {@link JdbcAlertStore}, as a statement that ends in a semicolon. */
    public static String printAlerts(Dialect dialect) {
        return read(dialect, JdbcAlertStore.TABLE);
    }

    /**
     * Creates the table of {@link JdbcAlertStore} unless it exists.
     *
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void applyAlerts(DataSource dataSource) {
        apply(dataSource, JdbcAlertStore.TABLE, (connection, dialect) -> execute(connection, printAlerts(dialect)));
    }

    /** The tables of {@link JdbcPauseStore}, as statements that end in semicolons. */
    public static String printPauses(Dialect dialect) {
        return read(dialect, JdbcPauseStore.TABLE) + "\n" + read(dialect, OperatorAuditLog.TABLE);
    }

    /**
     * Creates the tables of {@link JdbcPauseStore} unless they exist.
     *
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void applyPauses(DataSource dataSource) {
        apply(dataSource, JdbcPauseStore.TABLE, (connection, dialect) -> execute(connection, printPauses(dialect)));
    }

    /** The tables of {@link JdbcJobStore}, as statements that end in semicolons. */
    public static String printJobs(Dialect dialect) {
        return read(dialect, JobTable.JOBS) + "\n" + read(dialect, OperatorAuditLog.TABLE);
    }

    /**
     * Creates the tables of {@link JdbcJobStore} unless they exist.
     *
     * @throws dev.waybill.store.StoreException when the database refuses
     */
    public static void applyJobs(DataSource dataSource) {
        apply(dataSource, JobTable.JOBS, (connection, dialect) -> execute(connection, printJobs(dialect)));
    }

    private interface Step {
        void on(Connection connection, Dialect dialect) throws SQLException;
    }

    private static void apply(DataSource dataSource, String table, Step step) {
        try (Connection connection = dataSource.getConnection()) {
            step.on(connection, Dialect.of(connection));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            throw SqlErrors.translate("create", table, e);
        }
    }

    private static void refuseUnknown(String layout, String table, boolean known) {
        if (!known) {
            throw new IllegalArgumentException("the shipped DDL of layout " + layout
                    + " does not know the renamed columns of table " + table + ": create it yourself");
        }
    }

    private static String outbox(Dialect dialect, OutboxMapping mapping) {
        OutboxMapping shipped = OutboxLayouts.named(mapping.layout());
        refuseUnknown(
                mapping.layout(),
                mapping.table(),
                shipped.columns().values().containsAll(mapping.columns().values()));
        return renamed(read(dialect, mapping.layout()), shipped.table(), mapping.table());
    }

    /** The table's new name, also as the prefix of index names, which have no schema. */
    private static String renamed(String text, String from, String to) {
        String bare = to.substring(to.indexOf('.') + 1);
        return from.equals(to)
                ? text
                : text.replaceAll("\\b" + from + "_(idx|uk)", bare + "_$1").replaceAll("\\b" + from + "\\b", to);
    }

    private static String beside(Dialect dialect, OutboxMapping mapping) {
        return placed(dialect, OutboxAttemptLog.TABLE, mapping) + "\n"
                + placed(dialect, OperatorAuditLog.TABLE, mapping);
    }

    private static String placed(Dialect dialect, String table, OutboxMapping mapping) {
        int dot = mapping.table().indexOf('.');
        return read(dialect, table)
                .replaceAll("\\b" + table + "\\b", mapping.table().substring(0, dot + 1) + table);
    }

    private static String read(Dialect dialect, String name) {
        String path = "ddl/" + dialect.ddlFamily() + "/" + name + ".sql";
        try (InputStream in = Ddl.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("missing resource dev/waybill/jdbc/" + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void execute(Connection connection, String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String part : script.split(";\\s*\n", -1)) {
                if (!part.isBlank()) {
                    statement.execute(part);
                }
            }
        }
    }
}
