package dev.waybill.bench;

import static dev.waybill.bench.Contenders.DUAL;
import static dev.waybill.bench.Contenders.PLAIN;
import static dev.waybill.bench.Contenders.RAW;
import static dev.waybill.bench.Contenders.WAYBILL;

import dev.waybill.servers.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What the project wants of Waybill, for the rows that a run has. */
final class Expectations {

    private static final OptionalDouble ONE = OptionalDouble.of(1);

    private final Results results;
    private final List<Expectation> found = new ArrayList<>();

    private Expectations(Results results) {
        this.results = results;
    }

    static List<Expectation> of(Results results) {
        Expectations all = new Expectations(results);
        for (Server database : List.of(Server.POSTGRESQL, Server.MARIADB)) {
            for (BrokerKind broker : BrokerKind.values()) {
                all.on(new Environment(database, broker));
            }
        }
        return all.found;
    }

    private void on(Environment environment) {
        boolean rocket = environment.broker() == BrokerKind.ROCKETMQ;
        drain(environment, rocket);
        steady(environment);
        paced(environment, rocket);
        growth(environment);
        search(environment);
        retention(environment);
    }

    private void drain(Environment environment, boolean rocket) {
        for (String title : List.of(DrainWorkload.UNREAD, DrainWorkload.READ)) {
            String name = title + ", " + environment.title();
            OptionalDouble ours = ours(title, environment, "rate");
            atLeast(name + ": of the broker alone", ours, of(title, environment, RAW, "rate"), rocket ? 0.6 : 0.8);
            atLeast(name + ": × the best peer", ours, results.bestPeer(title, environment, "rate", true), 4.5);
        }
    }

    private void steady(Environment environment) {
        String name = "Steady, " + environment.title();
        OptionalDouble committed = ours(LoadWorkload.STEADY, environment, "committed");
        double least = environment.database() == Server.MARIADB ? 0.7 : 0.75;
        atLeast(name + ": of the dual write", committed, of(LoadWorkload.STEADY, environment, DUAL, "committed"), 0.9);
        atLeast(
                name + ": of the plain INSERT",
                committed,
                of(LoadWorkload.STEADY, environment, PLAIN, "committed"),
                least);
        atLeast(
                name + ": delivered × the best peer",
                ours(LoadWorkload.STEADY, environment, "delivered"),
                results.bestPeer(LoadWorkload.STEADY, environment, "delivered", true),
                1.7);
        atMost(
                name + ": backlog at the end, s",
                ours(LoadWorkload.STEADY, environment, "backlog"),
                OptionalDouble.of(1),
                1);
        String half = "Half load, " + environment.title() + ": transaction ";
        atMost(
                half + "p50 of the plain INSERT's",
                ours(LoadWorkload.HALF, environment, "p50"),
                of(LoadWorkload.HALF, environment, PLAIN, "p50"),
                1.15);
        atMost(
                half + "p99 of the plain INSERT's",
                ours(LoadWorkload.HALF, environment, "p99"),
                of(LoadWorkload.HALF, environment, PLAIN, "p99"),
                1.5);
    }

    private void paced(Environment environment, boolean rocket) {
        String name = "Paced, " + environment.title() + ": commit→arrival ";
        OptionalDouble p50 = ours(LoadWorkload.PACED, environment, "arrival.p50");
        OptionalDouble p99 = ours(LoadWorkload.PACED, environment, "arrival.p99");
        atMost(name + "p50 ms", p50, OptionalDouble.of(1), rocket ? 10 : 2.5);
        atMost(
                name + "p50 of the best peer's",
                p50,
                results.bestPeer(LoadWorkload.PACED, environment, "arrival.p50", false),
                1);
        atMost(
                name + "p99 of the best peer's",
                p99,
                results.bestPeer(LoadWorkload.PACED, environment, "arrival.p99", false),
                1.2);
    }

    private void growth(Environment environment) {
        for (GrowthCases.Case grown : GrowthCases.Case.values()) {
            if (grown != grown.baseline()) {
                atLeast(
                        "Growth, " + environment.title() + ": " + grown.title() + " of "
                                + grown.baseline().title(),
                        ours(grown.title(), environment, "rate"),
                        ours(grown.baseline().title(), environment, "rate"),
                        grown.least());
            }
        }
    }

    private void search(Environment environment) {
        String name = "Search, " + environment.title() + ": ";
        for (SearchCases.Case wanted : SearchCases.Case.values()) {
            atMost(
                    name + wanted.title(true) + ", p95 of the small one's",
                    ours(wanted.title(true), environment, "p95"),
                    ours(wanted.title(false), environment, "p95"),
                    3);
        }
        String look = SearchCases.LOOK + true;
        atMost(name + "statements of metrics and alerts a second", ours(look, environment, "statements"), ONE, 5);
        atMost(
                name + "rows that a look reads of those in the small table",
                ours(look, environment, "read"),
                ours(SearchCases.LOOK + false, environment, "read"),
                3);
    }

    private void retention(Environment environment) {
        for (RetentionCases.Case removal : RetentionCases.Case.values()) {
            String title = removal.title();
            String name = "Retention, " + environment.title() + ": " + title + ", ";
            OptionalDouble before = ours(title, environment, "p99.before");
            atMost(name + "producers' p99 × before", ours(title, environment, "p99.while"), before, 2);
            OptionalDouble drain = ours(title, environment, "drain.before");
            atLeast(name + "drain of before", ours(title, environment, "drain.while"), drain, 0.9);
        }
        String partitions = RetentionCases.Case.PARTITIONS.title();
        atLeast(
                "Retention, " + environment.title() + ": disk space given back, of what the old rows took",
                ours(partitions, environment, "given"),
                OptionalDouble.of(1),
                0.9);
        atLeast(
                "Retention, " + environment.title() + ": rows that an archive brings back to the byte",
                ours(RetentionCases.Case.ARCHIVED.title(), environment, "restored"),
                OptionalDouble.of(1),
                1);
    }

    private OptionalDouble ours(String workload, Environment environment, String figure) {
        return of(workload, environment, WAYBILL, figure);
    }

    private OptionalDouble of(String workload, Environment environment, String contender, String figure) {
        return results.figure(workload, environment, contender, figure);
    }

    private void atLeast(String text, OptionalDouble value, OptionalDouble of, double bound) {
        add(text, value, of, bound, true);
    }

    private void atMost(String text, OptionalDouble value, OptionalDouble of, double bound) {
        add(text, value, of, bound, false);
    }

    private void add(String text, OptionalDouble value, OptionalDouble of, double bound, boolean atLeast) {
        if (value.isPresent() && of.isPresent()) {
            found.add(new Expectation(text, value.getAsDouble() / of.getAsDouble(), bound, atLeast));
        }
    }
}
