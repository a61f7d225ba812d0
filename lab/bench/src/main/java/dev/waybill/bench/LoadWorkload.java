package dev.waybill.bench;

import dev.waybill.servers.Checkout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Producers commit small transactions while the relay runs: as fast as they can, or at a pace. */
final class LoadWorkload implements Workload {

    static final String STEADY = "Steady load, 8 producers";
    static final String PACED = "Paced load, 200/s";
    static final String HALF = "Half load";

    private static final int PATIENCE = 60;
    private static final long NUMBERS = 10_000_000;

    private final String title;
    private final int producers;
    private final double rate;
    private final double seconds;
    private final List<ResultColumn> columns;

    private LoadWorkload(String title, int producers, double rate, double seconds, List<ResultColumn> columns) {
        this.title = title;
        this.producers = producers;
        this.rate = rate;
        this.seconds = seconds;
        this.columns = columns;
    }

    static LoadWorkload steady(double seconds) {
        List<ResultColumn> columns = new ArrayList<>(List.of(
                ResultColumn.of("committed/s", "committed", 0),
                ResultColumn.ratio("of a plain INSERT", "committed", Contenders.PLAIN),
                ResultColumn.ratio("of the dual write", "committed", Contenders.DUAL),
                ResultColumn.of("delivered/s", "delivered", 0),
                ResultColumn.of("backlog at the end, s", "backlog", 2)));
        columns.addAll(transactions());
        return new LoadWorkload(STEADY, 8, 0, seconds, columns);
    }

    static LoadWorkload paced(double seconds) {
        return new LoadWorkload(PACED, 8, 200, seconds, arrival());
    }

    /** Half of what Waybill commits under steady load. */
    static LoadWorkload half(double rate, double seconds) {
        List<ResultColumn> columns = new ArrayList<>(List.of(
                ResultColumn.of("asked/s", "asked", 0),
                ResultColumn.of("committed/s", "committed", 0),
                ResultColumn.ratio("p50 of a plain INSERT's", "p50", Contenders.PLAIN),
                ResultColumn.ratio("p99 of a plain INSERT's", "p99", Contenders.PLAIN)));
        columns.addAll(transactions());
        return new LoadWorkload(HALF, 8, rate, seconds, columns);
    }

    private static List<ResultColumn> transactions() {
        return List.of(
                ResultColumn.of("transaction p50 ms", "p50", 2),
                ResultColumn.of("p99 ms", "p99", 2),
                ResultColumn.of("failed", "failed", 0),
                ResultColumn.of("statements/event", "statements", 2));
    }

    private static List<ResultColumn> arrival() {
        return List.of(
                ResultColumn.of("commit→arrival p50 ms", "arrival.p50", 2),
                ResultColumn.of("p99 ms", "arrival.p99", 2),
                ResultColumn.of("committed/s", "committed", 0),
                ResultColumn.of("failed", "failed", 0),
                ResultColumn.of("statements/event", "statements", 2));
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean includes(ContenderSettings contender, Environment environment) {
        if (contender.id().equals(Contenders.INBOX)) {
            return false;
        }
        if (environment.broker() == BrokerKind.ROCKETMQ) {
            return contender.role() == ContenderSettings.Role.WAYBILL;
        }
        if (environment.broker() == BrokerKind.QUORUM || contender.id().equals(Contenders.RAW)) {
            return false;
        }
        return !title.equals(PACED) || Contenders.sends(contender);
    }

    /** At full speed the compilers compete with the producers for CPU time, so many turns pass until they are done. */
    @Override
    public int warmUps() {
        return rate == 0 ? 12 : 1;
    }

    @Override
    public Figures once(RunningContender running, boolean warmUp) {
        running.queue().arrivals().clear();
        running.queue().listen();
        StatementCounter statements = new StatementCounter(running.database());
        long statementsBefore = statements.count();
        running.ask("relay on");
        Path file = Checkout.root()
                .resolve("lab/bench/target/runs/" + running.contender().fileName() + ".commits");
        Map<String, String> made = running.ask("produce " + running.take(NUMBERS) + " " + producers + " " + rate + " "
                + (warmUp && rate > 0 ? Math.min(seconds, 3) : seconds) + " " + file);
        double unsettled = running.number("settle " + PATIENCE, "unsettled");
        running.ask("relay off");
        Commits commits = Commits.read(file);
        int committed = commits.ends().size();
        double asked = (double) (statements.count() - statementsBefore) / committed;
        if (committed == 0) {
            throw new NotAResultException("nothing was committed: " + made.get("cause"));
        }
        CorrectnessCheck.settled(unsettled);
        if (Contenders.sends(running.contender())) {
            CorrectnessCheck.arrived(running, commits.ends().keySet());
        }
        running.queue().stopListening();
        return figures(made, commits, running.queue().arrivals().times(), asked);
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
    public List<ResultColumn> columns() {
        return columns;
    }
}
