package dev.waybill.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Producers commit small transactions while the relay runs: as fast as they can, or at a pace. */
final class Load implements Workload {

    static final String STEADY = "Steady load, 8 producers";
    static final String PACED = "Paced load, 200/s";
    static final String HALF = "Half load";

    private static final int PATIENCE = 60;
    private static final long NUMBERS = 10_000_000;

    private final String title;
    private final int producers;
    private final double rate;
    private final double seconds;
    private final List<Column> columns;

    private Load(String title, int producers, double rate, double seconds, List<Column> columns) {
        this.title = title;
        this.producers = producers;
        this.rate = rate;
        this.seconds = seconds;
        this.columns = columns;
    }

    static Load steady(double seconds) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.of("committed/s", "committed", 0),
                Column.ratio("of a plain INSERT", "committed", Field.PLAIN),
                Column.ratio("of the dual write", "committed", Field.DUAL),
                Column.of("delivered/s", "delivered", 0),
                Column.of("backlog at the end, s", "backlog", 2)));
        columns.addAll(transactions());
        return new Load(STEADY, 8, 0, seconds, columns);
    }

    static Load paced(double seconds) {
        return new Load(PACED, 8, 200, seconds, arrival());
    }

    /** Half of what Waybill commits under steady load. */
    static Load half(double rate, double seconds) {
        List<Column> columns = new ArrayList<>(List.of(
                Column.of("asked/s", "asked", 0),
                Column.of("committed/s", "committed", 0),
                Column.ratio("p50 of a plain INSERT's", "p50", Field.PLAIN),
                Column.ratio("p99 of a plain INSERT's", "p99", Field.PLAIN)));
        columns.addAll(transactions());
        return new Load(HALF, 8, rate, seconds, columns);
    }

    private static List<Column> transactions() {
        return List.of(
                Column.of("transaction p50 ms", "p50", 2),
                Column.of("p99 ms", "p99", 2),
                Column.of("failed", "failed", 0),
                Column.of("statements/event", "statements", 2));
    }

    private static List<Column> arrival() {
        return List.of(
                Column.of("commit→arrival p50 ms", "arrival.p50", 2),
                Column.of("p99 ms", "arrival.p99", 2),
                Column.of("committed/s", "committed", 0),
                Column.of("failed", "failed", 0),
                Column.of("statements/event", "statements", 2));
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean takes(Entrant entrant, Ground ground) {
        if (entrant.id().equals(Field.INBOX)) {
            return false;
        }
        if (ground.broker() == BrokerKind.ROCKETMQ) {
            return entrant.role() == Entrant.Role.WAYBILL;
        }
        if (ground.broker() == BrokerKind.QUORUM || entrant.id().equals(Field.RAW)) {
            return false;
        }
        return !title.equals(PACED) || Field.sends(entrant);
    }

    /** At full speed the compilers compete with the producers, and it takes them long until they have little left to do. */
    @Override
    public int warmUps() {
        return rate == 0 ? 12 : 1;
    }

    @Override
    public Figures once(Lane lane, boolean warmUp) {
        lane.mailbox().arrivals().clear();
        lane.mailbox().listen();
        Statements statements = new Statements(lane.database());
        long statementsBefore = statements.count();
        lane.ask("relay on");
        Path file = Checkout.root()
                .resolve("lab/bench/target/runs/" + lane.entrant().fileName() + ".commits");
        Map<String, String> made = lane.ask("produce " + lane.take(NUMBERS) + " " + producers + " " + rate + " "
                + (warmUp && rate > 0 ? Math.min(seconds, 3) : seconds) + " " + file);
        double unsettled = lane.number("settle " + PATIENCE, "unsettled");
        lane.ask("relay off");
        Commits commits = Commits.read(file);
        int committed = commits.ends().size();
        double asked = (double) (statements.count() - statementsBefore) / committed;
        if (committed == 0) {
            throw new NotAResultException("nothing was committed: " + made.get("cause"));
        }
        Check.settled(unsettled);
        if (Field.sends(lane.entrant())) {
            Check.arrived(lane, commits.ends().keySet());
        }
        lane.mailbox().stopListening();
        return figures(made, commits, lane.mailbox().arrivals().times(), asked);
    }

    private Figures figures(Map<String, String> made, Commits commits, Map<Long, Long> arrived, double statements) {
        long lastEnd = commits.lastEnd();
        double took = (lastEnd - commits.begin()) / 1e9;
        long inTime = arrived.values().stream().filter(at -> at <= lastEnd).count();
        double rateOfCommits = commits.ends().size() / took;
        long[] underWay = arrived.entrySet().stream()
                .mapToLong(arrival ->
                        arrival.getValue() - commits.ends().getOrDefault(arrival.getKey(), arrival.getValue()))
                .toArray();
        return Figures.of(
                "asked",
                rate,
                "committed",
                rateOfCommits,
                "delivered",
                arrived.isEmpty() ? Double.NaN : inTime / took,
                "backlog",
                arrived.isEmpty() ? Double.NaN : (commits.ends().size() - inTime) / rateOfCommits,
                "p50",
                Double.parseDouble(made.getOrDefault("p50", "NaN")),
                "p99",
                Double.parseDouble(made.getOrDefault("p99", "NaN")),
                "arrival.p50",
                Figures.milliseconds(underWay, 0.50),
                "arrival.p99",
                Figures.milliseconds(underWay, 0.99),
                "failed",
                Double.parseDouble(made.getOrDefault("failed", "NaN")),
                "statements",
                statements);
    }

    @Override
    public List<Column> columns() {
        return columns;
    }
}
