package dev.waybill.bench;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether Waybill's drain keeps its rate when something grows: the backlog, the rows that are kept after they were sent,
 * the number of relays, or the age of the oldest snapshot. A reader empties the queue meanwhile. Each case has a database
 * of its own.
 */
final class Growth {

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

    /** Divided by the scale, for a quick look. */
    Growth(int scale) {
        small = 10_000;
        large = 1_000_000 / scale;
        middle = 50_000 / Math.min(scale, 10);
        retained = 5_000_000 / scale;
    }

    boolean takes(Case grown, Ground ground) {
        return grown != Case.SNAPSHOT || ground.database() == Server.POSTGRESQL;
    }

    /** With the numbers of this run. */
    String title(Case grown) {
        return switch (grown) {
            case SMALL -> String.format(Locale.ROOT, "backlog of %,d", small);
            case BACKLOG -> String.format(Locale.ROOT, "backlog of %,d", large);
            case ONE_RELAY -> String.format(Locale.ROOT, "backlog of %,d, one relay, nothing retained", middle);
            case FOUR_RELAYS -> "the same, four relays";
            case RETAINED -> String.format(Locale.ROOT, "the same, one relay, %,d retained rows", retained);
            case SNAPSHOT -> "the same, one relay, a snapshot held since before";
        };
    }

    Row row(PrivateServers servers, Ground ground, Case grown, Entrant waybill) {
        try (Arena arena = new Arena(servers, ground)) {
            Figures figures = once(arena, grown, waybill);
            return new Row(grown.title(), ground, waybill, figures, List.of(figures), null, title(grown));
        } catch (NotAResultException e) {
            return new Row(grown.title(), ground, waybill, Figures.of(), List.of(), e.getMessage(), title(grown));
        }
    }

    private Figures once(Arena arena, Case grown, Entrant waybill) {
        Lane lane = arena.lane(waybill);
        List<Runner> companions = new ArrayList<>();
        try (Connection reader = DriverManager.getConnection(
                lane.database().jdbcUrl(),
                lane.database().user(),
                lane.database().password())) {
            if (grown == Case.RETAINED) {
                retain(lane);
            }
            for (int i = 1; grown == Case.FOUR_RELAYS && i < 4; i++) {
                companions.add(arena.companion(lane));
            }
            drain(lane, companions, small); // warms up
            if (grown == Case.SNAPSHOT) {
                hold(reader);
                drain(lane, List.of(), middle); // dead rows that the snapshot keeps
            }
            double rate = drain(
                    lane,
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
            companions.forEach(Runner::close);
        }
    }

    private static double drain(Lane lane, List<Runner> companions, int count) {
        long first = lane.take(count);
        Arrivals arrivals = lane.mailbox().arrivals();
        arrivals.clear();
        lane.mailbox().listen();
        lane.ask("fill " + first + " " + count);
        long begin = System.nanoTime();
        List<CompletableFuture<?>> starting = new ArrayList<>();
        companions.forEach(
                companion -> starting.add(CompletableFuture.runAsync(() -> companion.ask("relay on", RELAY))));
        lane.ask("relay on");
        while (arrivals.count() < count && System.nanoTime() - begin < PATIENCE_SECONDS * 1e9) {
            LockSupport.parkNanos(1_000_000);
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        starting.forEach(CompletableFuture::join);
        double unsettled = lane.number("settle 60", "unsettled");
        lane.ask("relay off");
        companions.forEach(companion -> companion.ask("relay off", RELAY));
        Check.settled(unsettled);
        Check.arrived(lane, Commits.range(first, count));
        return count / seconds;
    }

    private void retain(Lane lane) throws SQLException {
        boolean postgreSql = lane.database().jdbcUrl().startsWith("jdbc:postgresql:");
        try (Connection connection = DriverManager.getConnection(
                        lane.database().jdbcUrl(),
                        lane.database().user(),
                        lane.database().password());
                Statement statement = connection.createStatement()) {
            statement.execute(String.format(postgreSql ? RETAIN_POSTGRESQL : RETAIN_MARIADB, retained));
            if (postgreSql) {
                statement.execute("VACUUM ANALYZE waybill_outbox");
            }
        }
    }

    private static void hold(Connection reader) throws SQLException {
        reader.setAutoCommit(false);
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = reader.createStatement()) {
            statement.executeQuery("SELECT COUNT(*) FROM waybill_outbox").close();
        }
    }

    private static final String RETAIN_POSTGRESQL = """
            INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, attempts, due_at, sent_at)
            SELECT 'kept-' || lpad(n::text, 10, '0'), 'OrderCreated', now() - interval '1 day', repeat('x', 200), 'SENT', 0,
              now() - interval '1 day', now() - interval '1 day'
            FROM generate_series(1, %d) AS n""";

    private static final String RETAIN_MARIADB = """
            INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, attempts, due_at, sent_at)
            SELECT CONCAT('kept-', LPAD(seq, 10, '0')), 'OrderCreated', UTC_TIMESTAMP(3) - INTERVAL 1 DAY, REPEAT('x', 200),
              'SENT', 0, '9999-12-31', UTC_TIMESTAMP(3) - INTERVAL 1 DAY
            FROM seq_1_to_%d""";
}
