package dev.waybill.bench;

import dev.waybill.servers.Checkout;
import dev.waybill.servers.RabbitMq;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** From the commit through outbox, broker and inbox to the effect, which has to happen exactly once for each commit. */
final class EndToEndWorkload implements Workload {

    static final String STEADY = "End to end, 8 producers";
    static final String PACED = "End to end, 200/s";
    static final String RESTART = "End to end, 200/s, broker restarted";

    private static final double PATIENCE_SECONDS = 120;
    private static final long NUMBERS = 10_000_000;
    private static final String EFFECTS = "SELECT id, at_nanos FROM bench_effect WHERE id >= ";
    private static final String COUNT = "SELECT COUNT(*), 0 FROM bench_effect WHERE id >= ";

    private final String title;
    private final double rate;
    private final double seconds;
    private final @Nullable RabbitMq restarted;

    private EndToEndWorkload(String title, double rate, double seconds, @Nullable RabbitMq restarted) {
        this.title = title;
        this.rate = rate;
        this.seconds = seconds;
        this.restarted = restarted;
    }

    static EndToEndWorkload steady(double seconds) {
        return new EndToEndWorkload(STEADY, 0, seconds, null);
    }

    static EndToEndWorkload paced(double seconds) {
        return new EndToEndWorkload(PACED, 200, seconds, null);
    }

    /** The broker stops and starts again while events flow. */
    static EndToEndWorkload restarting(RabbitMq broker, double seconds) {
        return new EndToEndWorkload(RESTART, 200, seconds, broker);
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean includes(ContenderSettings contender, Environment environment) {
        return contender.id().equals(Contenders.INBOX) && environment.broker() == BrokerKind.CLASSIC;
    }

    @Override
    public int warmUps() {
        return rate == 0 ? 12 : 1;
    }

    @Override
    public Figures once(RunningContender running, boolean warmUp) {
        long first = running.take(NUMBERS);
        Path file = Checkout.root()
                .resolve("lab/bench/target/runs/" + running.contender().fileName() + ".commits");
        running.ask("relay on");
        CompletableFuture<Map<String, String>> producing = CompletableFuture.supplyAsync(() -> running.ask(
                "produce " + first + " 8 " + rate + " " + (warmUp ? Math.min(3, seconds) : seconds) + " " + file));
        if (restarted != null && !warmUp) {
            LockSupport.parkNanos((long) (seconds * 1e9 / 4)); // in the middle of the flow
            restarted.restart();
        }
        double failed = Double.parseDouble(producing.join().getOrDefault("failed", "NaN"));
        CorrectnessCheck.settled(running.number("settle " + PATIENCE_SECONDS, "unsettled"));
        Commits commits = Commits.read(file);
        Map<Long, Long> effects = effects(running, first, commits.ends().size());
        running.ask("relay off");
        if (!effects.keySet().equals(commits.ends().keySet())) {
            throw new NotAResultException("the effects are not the commits");
        }
        return figures(commits, effects, failed);
    }

    private static Figures figures(Commits commits, Map<Long, Long> effects, double failed) {
        long last = effects.values().stream().mapToLong(Long::longValue).max().orElse(commits.begin());
        long[] underWay = effects.entrySet().stream()
                .mapToLong(effect -> effect.getValue() - commits.ends().getOrDefault(effect.getKey(), 0L))
                .toArray();
        return Figures.of(
                "rate", effects.size() * 1e9 / (last - commits.begin()),
                "p50", Figures.milliseconds(underWay, 0.50),
                "p99", Figures.milliseconds(underWay, 0.99),
                "commits", commits.ends().size(),
                "effects", effects.size(),
                "failed", failed);
    }

    /** Waits until there are so many, and a little for those that should not be there. */
    private static Map<Long, Long> effects(RunningContender running, long first, int expected) {
        long begin = System.nanoTime();
        while (count(running, first) < expected) {
            if (System.nanoTime() - begin > PATIENCE_SECONDS * 1e9) {
                throw new NotAResultException(count(running, first) + " effects of " + expected + " commits");
            }
            LockSupport.parkNanos(20_000_000);
        }
        if (count(running, first) > expected) {
            throw new NotAResultException(count(running, first) + " effects of " + expected + " commits");
        }
        Map<Long, Long> effects = new HashMap<>();
        query(running, EFFECTS + first, row -> effects.put(row.getLong(1), row.getLong(2)));
        return effects;
    }

    private static long count(RunningContender running, long first) {
        long[] count = new long[1];
        query(running, COUNT + first, row -> count[0] = row.getLong(1));
        return count[0];
    }

    private interface Reading {
        void of(ResultSet row) throws SQLException;
    }

    private static void query(RunningContender running, String question, Reading reading) {
        try (Connection connection = DriverManager.getConnection(
                        running.database().jdbcUrl(),
                        running.database().user(),
                        running.database().password());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            while (rows.next()) {
                reading.of(rows);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<ResultColumn> columns() {
        return List.of(
                ResultColumn.of("effects/s", "rate", 0),
                ResultColumn.of("commit→effect p50 ms", "p50", 2),
                ResultColumn.of("p99 ms", "p99", 2),
                ResultColumn.of("commits", "commits", 0),
                ResultColumn.of("effects", "effects", 0),
                ResultColumn.of("failed commits", "failed", 0));
    }
}
