package dev.waybill.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.alert.DeadLetterProbe;
import dev.waybill.alert.OutboxProbe;
import dev.waybill.jdbc.JdbcDeadLetterStore;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.servers.Database;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventState;
import dev.waybill.store.OutboxReader.Page;
import dev.waybill.store.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
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

    private final int largest;
    private final Random random = new Random(7);

    /** @param scale divides the large table's rows, for a shorter run */
    SearchCases(int scale) {
        this.largest = Math.max(SMALL, LARGE / scale);
    }

    /** Fills two databases and searches them in turns, so that both are searched on the same machine. */
    List<ResultRow> rows(Supplier<Database> databases, Environment environment, ContenderSettings waybill) {
        List<ResultRow> measured = new ArrayList<>();
        try (SearchedTable small = SearchedTable.filled(databases.get(), SMALL);
                SearchedTable large = SearchedTable.filled(databases.get(), largest)) {
            for (Case wanted : Case.values()) {
                long[][] nanos = searches(small, large, wanted);
                measured.add(row(wanted, false, environment, waybill, nanos[0], small));
                measured.add(row(wanted, true, environment, waybill, nanos[1], large));
            }
            measured.add(looks(false, environment, waybill, small));
            measured.add(looks(true, environment, waybill, large));
        }
        return measured;
    }

    private static ResultRow looks(
            boolean large, Environment environment, ContenderSettings waybill, SearchedTable table) {
        String label = String.format(
                Locale.ROOT, "metrics and alerts, %,d rows", table.rows().rows());
        return row(LOOK + large, environment, waybill, looks(table.database()), label);
    }

    private static ResultRow row(
            Case wanted,
            boolean large,
            Environment environment,
            ContenderSettings waybill,
            long[] nanos,
            SearchedTable table) {
        Figures figures = Figures.of("p50", Figures.milliseconds(nanos, 0.5), "p95", Figures.milliseconds(nanos, 0.95));
        return row(
                wanted.title(large),
                environment,
                waybill,
                figures,
                wanted.titleWith(table.rows().rows()));
    }

    private static ResultRow row(
            String workload, Environment environment, ContenderSettings waybill, Figures figures, String label) {
        return new ResultRow(workload, environment, waybill, figures, List.of(figures), null, label);
    }

    private long[][] searches(SearchedTable small, SearchedTable large, Case wanted) {
        long[][] nanos = new long[2][SEARCHES];
        for (int i = -WARM_UPS; i < SEARCHES; i++) {
            long[] both = {search(small, wanted), search(large, wanted)};
            if (i >= 0) {
                nanos[0][i] = both[0];
                nanos[1][i] = both[1];
            }
        }
        return nanos;
    }

    /** How long a search took. What is looked for is known before. */
    private long search(SearchedTable table, Case wanted) {
        EventFilter filter = filter(table, wanted);
        String id = table.rows().id(somewhere(table));
        long begin = System.nanoTime();
        int found = switch (wanted) {
            case DETAIL -> detail(table, id);
            case DEEP_PAGE -> found(table.reader().search(filter, PAGE, id));
            default -> found(table.reader().search(filter, PAGE, null));
        };
        long took = System.nanoTime() - begin;
        if (found == 0 && wanted != Case.UNKNOWN_TYPE) {
            throw new IllegalStateException(wanted + " found nothing in " + filter);
        }
        return took;
    }

    private static int detail(SearchedTable table, String id) {
        table.reader().attempts(id, PAGE);
        table.audit().ofEvent(id, PAGE);
        return table.reader().find(id).isPresent() ? 1 : 0;
    }

    private EventFilter filter(SearchedTable table, Case wanted) {
        EventFilter any = EventFilter.any();
        return switch (wanted) {
            case LATEST, DEEP_PAGE, DETAIL -> any;
            case ID -> any.withEventId(table.rows().id(somewhere(table)));
            case KEY -> any.withKey(table.rows().key(somewhere(table)));
            case TRACE -> any.withTraceId(table.rows().traceId(somewhere(table)));
            case TYPE -> any.withType("Type" + random.nextInt(20));
            case UNKNOWN_TYPE -> any.withType("Nobody");
            case TOPIC -> any.withTopic("TOPIC" + random.nextInt(5));
            case DEAD -> any.withStates(Set.of(EventState.DEAD));
            case HOUR -> hour(table, any);
        };
    }

    private static int found(Page page) {
        return page.events().size();
    }

    private long somewhere(SearchedTable table) {
        int rows = table.rows().rows();
        return 1 + rows / 100 + (long) random.nextInt(rows - rows / 50);
    }

    private EventFilter hour(SearchedTable table, EventFilter any) {
        Instant end = table.rows().writtenAt(somewhere(table));
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
        return JdbcOutboxStore.builder(dataSource)
                .mapping(SearchedTable.MAPPING)
                .build();
    }

    /** PostgreSQL counts what a session has read when it ends, so the looks have a pool of their own. */
    private static Figures look(Database database, Function<DataSource, Runnable> looks) {
        StatementCounter statements = new StatementCounter(database);
        RowsRead read = new RowsRead(database);
        long[] nanos = new long[LOOKS];
        long readBefore = read.count();
        long statementsBefore;
        try (HikariDataSource pool = SearchedTable.pool(database)) {
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
}
