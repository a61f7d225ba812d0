package dev.waybill.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.alert.DeadLetterProbe;
import dev.waybill.alert.OutboxProbe;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcAuditReader;
import dev.waybill.jdbc.JdbcDeadLetterStore;
import dev.waybill.jdbc.JdbcOutboxReader;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.jdbc.OutboxMapping;
import dev.waybill.servers.Database;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventState;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.OutboxReader.Page;
import dev.waybill.store.OutboxStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;

/**
 * Whether people find events as quickly in a large table as in a small one, and what Waybill's own looks at it cost. Every
 * search has to find what is there.
 */
final class SearchCases {

    /** What a person looks for. */
    enum Case {
        LATEST("the latest"),
        DEEP_PAGE("a page somewhere"),
        ID("by id"),
        KEY("by key"),
        TRACE("by trace"),
        TYPE("by type"),
        UNKNOWN_TYPE("by a type that nobody has"),
        TOPIC("by topic"),
        DEAD("DEAD ones"),
        HOUR("an hour of the week"),
        DETAIL("one with its history");

        private final String title;

        Case(String title) {
            this.title = title;
        }

        String title(boolean large) {
            return "search " + title + (large ? ", large table" : ", small table");
        }

        String titleWith(int rows) {
            return String.format(Locale.ROOT, "%s, %,d rows", title, rows);
        }
    }

    static final String TITLE = "Search";
    static final String LOOK = "metrics and alerts, ";

    private static final int SMALL = 50_000;
    private static final int LARGE = 5_000_000;
    private static final int PAGE = 50;
    private static final int WARM_UPS = 100;
    private static final int SEARCHES = 300;
    private static final int LOOKS = 20;

    /** The defaults of waybill.metrics.refresh and waybill.alerts.interval. */
    private static final double METRICS_SECONDS = 10;

    private static final double ALERTS_SECONDS = 5;

    private static final OutboxMapping MAPPING = OutboxLayouts.waybill();

    private final boolean large;
    private final SearchedRows rows;
    private final Random random = new Random(7);

    /** @param scale divides the large table's rows, for a shorter run */
    SearchCases(boolean large, int scale) {
        this.large = large;
        this.rows = new SearchedRows(large ? Math.max(SMALL, LARGE / scale) : SMALL);
    }

    /** Fills a database of its own and searches it. */
    List<ResultRow> rows(Database database, Environment environment, ContenderSettings waybill) {
        List<ResultRow> measured = new ArrayList<>();
        try (HikariDataSource dataSource = pool(database)) {
            fill(database, dataSource);
            OutboxReader reader = new JdbcOutboxReader(dataSource, MAPPING, "bench");
            for (Case wanted : Case.values()) {
                Figures figures = searches(dataSource, reader, wanted);
                measured.add(row(wanted.title(large), environment, waybill, figures, wanted.titleWith(rows.rows())));
            }
        }
        String label = String.format(Locale.ROOT, "metrics and alerts, %,d rows", rows.rows());
        measured.add(row(LOOK + large, environment, waybill, looks(database), label));
        return measured;
    }

    private void fill(Database database, DataSource dataSource) {
        Ddl.apply(dataSource, MAPPING);
        Ddl.applyDeadLetters(dataSource);
        try {
            rows.insert(database);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        Ddl.applySearchIndexes(dataSource, MAPPING);
    }

    private static ResultRow row(
            String workload, Environment environment, ContenderSettings waybill, Figures figures, String label) {
        return new ResultRow(workload, environment, waybill, figures, List.of(figures), null, label);
    }

    private Figures searches(DataSource dataSource, OutboxReader reader, Case wanted) {
        ToIntFunction<OutboxReader> search = search(dataSource, wanted);
        long[] nanos = new long[SEARCHES];
        for (int i = -WARM_UPS; i < SEARCHES; i++) {
            long begin = System.nanoTime();
            int found = search.applyAsInt(reader);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - begin;
            }
            int least = wanted == Case.UNKNOWN_TYPE ? 0 : 1;
            if (found < least) {
                throw new IllegalStateException(wanted + " found nothing");
            }
        }
        return Figures.of("p50", Figures.milliseconds(nanos, 0.5), "p95", Figures.milliseconds(nanos, 0.95));
    }

    /** How many a search finds. */
    private ToIntFunction<OutboxReader> search(DataSource dataSource, Case wanted) {
        EventFilter any = EventFilter.any();
        return switch (wanted) {
            case LATEST -> reader -> found(reader.search(any, PAGE, null));
            case DEEP_PAGE -> reader -> found(reader.search(any, PAGE, rows.id(somewhere())));
            case ID -> reader -> found(reader.search(any.withEventId(rows.id(somewhere())), PAGE, null));
            case KEY -> reader -> found(reader.search(any.withKey(key(reader)), PAGE, null));
            case TRACE -> reader -> found(reader.search(any.withTraceId(trace(reader)), PAGE, null));
            case TYPE -> reader -> found(reader.search(any.withType("Type" + random.nextInt(20)), PAGE, null));
            case UNKNOWN_TYPE -> reader -> found(reader.search(any.withType("Nobody"), PAGE, null));
            case TOPIC -> reader -> found(reader.search(any.withTopic("TOPIC" + random.nextInt(5)), PAGE, null));
            case DEAD -> reader -> found(reader.search(any.withStates(Set.of(EventState.DEAD)), PAGE, null));
            case HOUR -> reader -> found(reader.search(hour(any), PAGE, null));
            case DETAIL ->
                reader -> {
                    String id = rows.id(somewhere());
                    reader.attempts(id, PAGE);
                    new JdbcAuditReader(dataSource, MAPPING).ofEvent(id, PAGE);
                    return reader.find(id).isPresent() ? 1 : 0;
                };
        };
    }

    private static int found(Page page) {
        return page.events().size();
    }

    private long somewhere() {
        return 1 + rows.rows() / 100 + (long) random.nextInt(rows.rows() - rows.rows() / 50);
    }

    /** Reads one to look for, which costs about as much again in both tables. */
    private String key(OutboxReader reader) {
        return String.valueOf(one(reader).key());
    }

    private String trace(OutboxReader reader) {
        return String.valueOf(one(reader).traceId());
    }

    private FoundEvent one(OutboxReader reader) {
        return reader.find(rows.id(somewhere())).orElseThrow().found();
    }

    private EventFilter hour(EventFilter any) {
        Instant end = rows.writtenAt(somewhere());
        return any.between(end.minus(Duration.ofHours(1)), end.plusMillis(1));
    }

    /** What the starter's metrics and alerts ask a table for while there is nothing to tell, at their default intervals. */
    private static Figures looks(Database database) {
        Figures byMetrics = look(database, dataSource -> {
            OutboxStore outbox = store(dataSource);
            DeadLetterStore letters = new JdbcDeadLetterStore(dataSource);
            return () -> {
                outbox.backlog();
                letters.count(Filter.any().withState(DeadLetterStore.State.OPEN));
                letters.count(Filter.any().withState(DeadLetterStore.State.REPLAYING));
            };
        });
        Figures byAlerts = look(database, dataSource -> {
            OutboxProbe outbox = new OutboxProbe(store(dataSource));
            DeadLetterProbe letters = new DeadLetterProbe(new JdbcDeadLetterStore(dataSource));
            return () -> {
                outbox.read();
                letters.read();
            };
        });
        return Figures.of(
                "statements",
                byMetrics.get("statements") / METRICS_SECONDS + byAlerts.get("statements") / ALERTS_SECONDS,
                "read",
                Math.max(byMetrics.get("read"), byAlerts.get("read")),
                "p50",
                byMetrics.get("p50"),
                "p95",
                byMetrics.get("p95"));
    }

    private static JdbcOutboxStore store(DataSource dataSource) {
        return JdbcOutboxStore.builder(dataSource).mapping(MAPPING).build();
    }

    /** PostgreSQL counts what a session has read when it ends, so the looks have a pool of their own. */
    private static Figures look(Database database, Function<DataSource, Runnable> looks) {
        StatementCounter statements = new StatementCounter(database);
        RowsRead read = new RowsRead(database);
        long[] nanos = new long[LOOKS];
        long readBefore = read.count();
        long statementsBefore;
        try (HikariDataSource pool = pool(database)) {
            Runnable look = looks.apply(pool);
            look.run(); // looks the tables up
            statementsBefore = statements.count();
            for (int i = 0; i < LOOKS; i++) {
                long begin = System.nanoTime();
                look.run();
                nanos[i] = System.nanoTime() - begin;
            }
        }
        double rowsRead = (read.count() - readBefore) / (LOOKS + 1.0);
        double asked = (statements.count() - statementsBefore) / (double) LOOKS;
        return Figures.of(
                "statements",
                asked,
                "read",
                rowsRead,
                "p50",
                Figures.milliseconds(nanos, 0.5),
                "p95",
                Figures.milliseconds(nanos, 0.95));
    }

    static List<ResultColumn> columns() {
        return List.of(
                ResultColumn.of("p50 ms", "p50", 2),
                ResultColumn.of("p95 ms", "p95", 2),
                ResultColumn.of("statements/s", "statements", 1),
                ResultColumn.of("rows read a look", "read", 0));
    }

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }
}
