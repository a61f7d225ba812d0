package dev.waybill.bench;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether Waybill's drain keeps its rate when something grows: the backlog, the rows that are kept after they were sent,
 * the number of relays, or the age of the oldest snapshot. A reader empties the queue meanwhile. Each case has a database
 * of its own.
 */
final class GrowthCases {

    /** What has grown. */
    enum Case {
        SMALL("small backlog", 0),
        BACKLOG("large backlog", 0.8),
        ONE_RELAY("one relay, nothing retained", 0),
        FOUR_RELAYS("four relays", 1.0),
        RETAINED("retained rows", 0.8),
        SNAPSHOT("held snapshot", 0.7);

        private final String title;
        private final double least;

        Case(String title, double least) {
            this.title = title;
            this.least = least;
        }

        String title() {
            return title;
        }

        double least() {
            return least;
        }

        Case baseline() {
            return this == SMALL || this == BACKLOG ? SMALL : ONE_RELAY;
        }
    }

    static final String TITLE = "Growth";

    private static final double PATIENCE_SECONDS = 1200;
    private static final Duration RELAY = Duration.ofMinutes(1);

    private final int small;
    private final int large;
    private final int middle;
    private final int retained;

    /** @param scale divides the counts, for a shorter run */
    GrowthCases(int scale) {
        small = 10_000;
        large = 1_000_000 / scale;
        middle = 50_000 / Math.min(scale, 10);
        retained = 5_000_000 / scale;
    }

    /** The case's title with the numbers of this run. */
    private String title(Case grown) {
        return switch (grown) {
            case SMALL -> String.format(Locale.ROOT, "backlog of %,d", small);
            case BACKLOG -> String.format(Locale.ROOT, "backlog of %,d", large);
            case ONE_RELAY -> String.format(Locale.ROOT, "backlog of %,d, one relay, nothing retained", middle);
            case FOUR_RELAYS -> "the same, four relays";
            case RETAINED -> String.format(Locale.ROOT, "the same, one relay, %,d retained rows", retained);
            case SNAPSHOT -> "the same, one relay, a snapshot held since before";
        };
    }

    /** A line for each case; repeats are interleaved, and each has a fresh database and a fresh process. */
    List<ResultRow> rows(
            PrivateServers servers,
            Environment environment,
            ContenderSettings waybill,
            Options options,
            Progress progress) {
        int repeats = options.scale() == 1 ? 1 : options.repeats(); // a case with millions of rows takes minutes
        List<String> titles = Stream.of(Case.values()).map(Case::title).toList();
        List<Case> cases = Stream.of(Case.values())
                .filter(grown -> grown != Case.SNAPSHOT || environment.database() == Server.POSTGRESQL)
                .filter(grown -> options.wants(grown.title(), titles))
                .toList();
        Map<Case, List<Figures>> figures = new EnumMap<>(Case.class);
        Map<Case, String> failures = new EnumMap<>(Case.class);
        for (int repeat = 1; repeat <= repeats; repeat++) {
            for (Case grown : cases) {
                progress.show(TITLE + ", " + title(grown), environment, waybill, repeat, repeats);
                try (Comparison comparison = new Comparison(servers, environment)) {
                    figures.computeIfAbsent(grown, key -> new ArrayList<>()).add(once(comparison, grown, waybill));
                } catch (NotAResultException e) {
                    failures.put(grown, e.getMessage());
                }
            }
        }
        return cases.stream()
                .map(grown ->
                        row(environment, grown, waybill, figures.getOrDefault(grown, List.of()), failures.get(grown)))
                .toList();
    }

    private ResultRow row(
            Environment environment,
            Case grown,
            ContenderSettings waybill,
            List<Figures> repeats,
            @Nullable String failure) {
        Figures medians = failure != null ? Figures.of() : Figures.medians(repeats);
        return new ResultRow(grown.title(), environment, waybill, medians, repeats, failure, title(grown));
    }

    private Figures once(Comparison comparison, Case grown, ContenderSettings waybill) {
        RunningContender running = comparison.running(waybill);
        List<ContenderProcess> companions = new ArrayList<>();
        try (Connection reader = DriverManager.getConnection(
                running.database().jdbcUrl(),
                running.database().user(),
                running.database().password())) {
            if (grown == Case.RETAINED) {
                RetainedRows.insert(running.database(), retained);
            }
            for (int i = 1; grown == Case.FOUR_RELAYS && i < 4; i++) {
                companions.add(comparison.companion(running));
            }
            for (int relay = 0; relay <= companions.size(); relay++) {
                drain(running, companions, middle); // warms up, once for each process
            }
            if (grown == Case.SNAPSHOT) {
                hold(reader);
                drain(running, List.of(), middle); // leaves row versions that the snapshot keeps from being vacuumed
            }
            double rate = drain(
                    running,
                    companions,
                    switch (grown) {
                        case SMALL -> small;
                        case BACKLOG -> large;
                        case ONE_RELAY, FOUR_RELAYS, RETAINED, SNAPSHOT -> middle;
                    });
            return Figures.of("rate", rate);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            companions.forEach(ContenderProcess::close);
        }
    }

    private static double drain(RunningContender running, List<ContenderProcess> companions, int count) {
        long first = running.take(count);
        Arrivals arrivals = running.queue().arrivals();
        arrivals.clear();
        running.queue().listen();
        running.ask("fill " + first + " " + count);
        long begin = System.nanoTime();
        List<CompletableFuture<?>> starting = new ArrayList<>();
        companions.forEach(
                companion -> starting.add(CompletableFuture.runAsync(() -> companion.ask("relay on", RELAY))));
        running.ask("relay on");
        while (arrivals.count() < count && System.nanoTime() - begin < PATIENCE_SECONDS * 1e9) {
            LockSupport.parkNanos(1_000_000);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        starting.forEach(CompletableFuture::join);
        double unsettled = running.number("settle 60", "unsettled");
        running.ask("relay off");
        companions.forEach(companion -> companion.ask("relay off", RELAY));
        CorrectnessCheck.settled(unsettled);
        CorrectnessCheck.arrived(running, Commits.range(first, count));
        return count / seconds;
    }

    private static void hold(Connection reader) throws SQLException {
        reader.setAutoCommit(false);
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = reader.createStatement()) {
            statement.executeQuery("SELECT COUNT(*) FROM waybill_outbox").close();
        }
    }
}
