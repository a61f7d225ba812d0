package dev.waybill.bench;

import static dev.waybill.bench.Field.DUAL;
import static dev.waybill.bench.Field.PLAIN;
import static dev.waybill.bench.Field.RAW;
import static dev.waybill.bench.Field.WAYBILL;

import dev.waybill.servers.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What the project wants of Waybill, for the rows that a run has. */
final class Expectations {

    private final Results results;
    private final List<Expectation> found = new ArrayList<>();

    private Expectations(Results results) {
        this.results = results;
    }

    static List<Expectation> of(Results results) {
        Expectations all = new Expectations(results);
        for (Server database : List.of(Server.POSTGRESQL, Server.MARIADB)) {
            for (BrokerKind broker : BrokerKind.values()) {
                all.on(new Ground(database, broker));
            }
        }
        return all.found;
    }

    private void on(Ground ground) {
        boolean rocket = ground.broker() == BrokerKind.ROCKETMQ;
        drain(ground, rocket);
        steady(ground);
        paced(ground, rocket);
        growth(ground);
    }

    private void drain(Ground ground, boolean rocket) {
        for (String title : List.of(Drain.UNREAD, Drain.READ)) {
            String name = title + ", " + ground.title();
            OptionalDouble ours = ours(title, ground, "rate");
            atLeast(name + ": of the broker alone", ours, of(title, ground, RAW, "rate"), rocket ? 0.6 : 0.8);
            atLeast(name + ": × the best peer", ours, results.bestPeer(title, ground, "rate", true), 4.5);
        }
    }

    private void steady(Ground ground) {
        String name = "Steady, " + ground.title();
        OptionalDouble committed = ours(Load.STEADY, ground, "committed");
        double least = ground.database() == Server.MARIADB ? 0.7 : 0.75;
        atLeast(name + ": of the dual write", committed, of(Load.STEADY, ground, DUAL, "committed"), 0.9);
        atLeast(name + ": of the plain INSERT", committed, of(Load.STEADY, ground, PLAIN, "committed"), least);
        atLeast(
                name + ": delivered × the best peer",
                ours(Load.STEADY, ground, "delivered"),
                results.bestPeer(Load.STEADY, ground, "delivered", true),
                1.7);
        atMost(name + ": backlog at the end, s", ours(Load.STEADY, ground, "backlog"), OptionalDouble.of(1), 1);
        String half = "Half load, " + ground.title() + ": transaction ";
        atMost(
                half + "p50 of the plain INSERT's",
                ours(Load.HALF, ground, "p50"),
                of(Load.HALF, ground, PLAIN, "p50"),
                1.15);
        atMost(
                half + "p99 of the plain INSERT's",
                ours(Load.HALF, ground, "p99"),
                of(Load.HALF, ground, PLAIN, "p99"),
                1.5);
    }

    private void paced(Ground ground, boolean rocket) {
        String name = "Paced, " + ground.title() + ": commit→arrival ";
        OptionalDouble p50 = ours(Load.PACED, ground, "arrival.p50");
        OptionalDouble p99 = ours(Load.PACED, ground, "arrival.p99");
        atMost(name + "p50 ms", p50, OptionalDouble.of(1), rocket ? 10 : 2.5);
        atMost(name + "p50 of the best peer's", p50, results.bestPeer(Load.PACED, ground, "arrival.p50", false), 1);
        atMost(name + "p99 of the best peer's", p99, results.bestPeer(Load.PACED, ground, "arrival.p99", false), 1.2);
    }

    private void growth(Ground ground) {
        for (Growth.Case grown : Growth.Case.values()) {
            if (grown != grown.baseline()) {
                atLeast(
                        "Growth, " + ground.title() + ": " + grown.title() + " of "
                                + grown.baseline().title(),
                        ours(grown.title(), ground, "rate"),
                        ours(grown.baseline().title(), ground, "rate"),
                        grown.least());
            }
        }
    }

    private OptionalDouble ours(String workload, Ground ground, String figure) {
        return of(workload, ground, WAYBILL, figure);
    }

    private OptionalDouble of(String workload, Ground ground, String entrant, String figure) {
        return results.figure(workload, ground, entrant, figure);
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
