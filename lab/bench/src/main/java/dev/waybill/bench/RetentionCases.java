package dev.waybill.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.servers.Database;
import dev.waybill.servers.PrivateServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether producers and relay keep their pace while old rows are removed, and whether the disk space comes back. A process of
 * its own sweeps as the starter does; each case has a database of its own.
 */
final class RetentionCases {

    /** How the rows go. */
    enum Case {
        CHUNKS("removed in chunks"),
        ARCHIVED("archived before they are removed"),
        PARTITIONS("removed with their partitions");

        private final String title;

        Case(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    static final String TITLE = "Retention";

    static final List<ResultColumn> COLUMNS = List.of(
            ResultColumn.of("removed", "removed", 0),
            ResultColumn.of("in s", "seconds", 1),
            ResultColumn.of("producers' p99 ms before", "p99.before", 2),
            ResultColumn.of("while", "p99.while", 2),
            ResultColumn.of("drain before", "drain.before", 0),
            ResultColumn.of("while", "drain.while", 0),
            ResultColumn.of("MB of the old rows", "megabytes", 1),
            ResultColumn.of("given back", "given", 2),
            ResultColumn.of("restored", "restored", 2));

    private static final Duration PERIOD = Duration.ofDays(1);
    private static final Duration OLDEST = Duration.ofDays(9);

    private final int rows;

    /** @param scale divides the million rows */
    RetentionCases(int scale) {
        rows = 1_000_000 / scale;
    }

    List<ResultRow> rows(
            PrivateServers servers,
            Environment environment,
            ContenderSettings waybill,
            Options options,
            Progress progress) {
        List<String> titles = Stream.of(Case.values()).map(Case::title).toList();
        List<ResultRow> found = new ArrayList<>();
        for (Case removal : Case.values()) {
            if (!options.wants(removal.title(), titles)) {
                continue;
            }
            String title = String.format(Locale.ROOT, "%,d rows %s", rows, removal.title());
            progress.show(TITLE + ", " + title, environment, waybill, 1, 1);
            Figures figures = Figures.of();
            String failure = null;
            try (Comparison comparison = new Comparison(servers, environment)) {
                figures = once(servers, comparison, removal, waybill, options);
            } catch (NotAResultException e) {
                failure = e.getMessage();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            found.add(row(environment, removal, waybill, figures, failure, title));
        }
        return found;
    }

    private static ResultRow row(
            Environment environment,
            Case removal,
            ContenderSettings waybill,
            Figures figures,
            @Nullable String failure,
            String title) {
        return new ResultRow(removal.title(), environment, waybill, figures, List.of(figures), failure, title);
    }

    private Figures once(
            PrivateServers servers, Comparison comparison, Case removal, ContenderSettings waybill, Options options)
            throws SQLException {
        RunningContender running = comparison.running(waybill);
        try (HikariDataSource pool = pool(running.database())) {
            if (removal == Case.PARTITIONS) {
                inPartitions(running.database(), pool);
            }
            TableSize size = new TableSize(servers, running);
            double empty = size.megabytes();
            RetainedRows.insertOld(running.database(), rows);
            double megabytes = size.megabytes() - empty;
            RetentionLoad load = new RetentionLoad(running, options.seconds());
            load.warmUp();
            RetentionLoad.Reading before = load.quiet();
            try (RetainedRowRemoval removing = new RetainedRowRemoval(pool, rows, removal == Case.ARCHIVED, size)) {
                RetentionLoad.Reading during = load.during(removing);
                return Figures.of(
                        "removed", removing.removed(),
                        "seconds", removing.seconds(),
                        "p99.before", before.p99(),
                        "p99.while", during.p99(),
                        "drain.before", before.drain(),
                        "drain.while", during.drain(),
                        "megabytes", megabytes,
                        "given", removal == Case.PARTITIONS ? removing.megabytesGiven() / megabytes : Double.NaN,
                        "restored", removal == Case.ARCHIVED ? removing.restoredShare() : Double.NaN);
            }
        }
    }

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(2);
        return new HikariDataSource(config);
    }

    /** The contender has made a table in one piece, and has not looked at it yet. */
    private static void inPartitions(Database database, HikariDataSource pool) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE waybill_outbox");
        }
        Instant first = Clock.systemUTC().instant().minus(OLDEST);
        Ddl.apply(pool, OutboxLayouts.waybill(), PERIOD, first);
    }
}
