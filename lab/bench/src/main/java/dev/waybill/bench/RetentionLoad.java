package dev.waybill.bench;

import dev.waybill.servers.Checkout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Producers at a pace, and backlogs that are drained, in turns: without a removal beside, then while one runs. */
final class RetentionLoad {

    private static final int PRODUCERS = 8;
    private static final int PACE = 500;
    private static final int BACKLOG = 20_000;
    private static final int PATIENCE = 120;
    private static final int QUIET_TURNS = 2;

    private final RunningContender running;
    private final double seconds;

    /** The medians of several turns. */
    record Reading(double p99, double drain) {

        static Reading medians(List<Reading> turns) {
            return new Reading(
                    median(turns.stream().mapToDouble(Reading::p99).toArray()),
                    median(turns.stream().mapToDouble(Reading::drain).toArray()));
        }

        private static double median(double[] values) {
            Arrays.sort(values);
            return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
        }
    }

    RetentionLoad(RunningContender running, double seconds) {
        this.running = running;
        this.seconds = seconds;
    }

    void warmUp() {
        for (int turn = 0; turn < QUIET_TURNS; turn++) {
            turn();
        }
    }

    Reading quiet() {
        List<Reading> turns = new ArrayList<>();
        for (int turn = 0; turn < QUIET_TURNS; turn++) {
            turns.add(turn());
        }
        return Reading.medians(turns);
    }

    /** As many turns as the removal lasts; only those count that it outlasted, or the only one. */
    Reading during(RetainedRowRemoval removing) {
        List<Reading> turns = new ArrayList<>();
        removing.start();
        do {
            Reading turn = turn();
            if (removing.isRunning() || turns.isEmpty()) {
                turns.add(turn);
            }
        } while (removing.isRunning());
        removing.join();
        return Reading.medians(turns);
    }

    private Reading turn() {
        double p99 = produce();
        return new Reading(p99, drain());
    }

    private double produce() {
        running.ask("relay on");
        Path file = Checkout.root()
                .resolve("lab/bench/target/runs/" + running.contender().fileName() + ".commits");
        running.queue().listen();
        int most = (int) (PACE * seconds * 2);
        Map<String, String> made = running.ask(
                "produce " + running.take(most) + " " + PRODUCERS + " " + PACE + " " + seconds + " " + file);
        double unsettled = running.number("settle " + PATIENCE, "unsettled");
        running.ask("relay off");
        CorrectnessCheck.settled(unsettled);
        if (Double.parseDouble(made.getOrDefault("failed", "NaN")) != 0) {
            throw new NotAResultException("producers failed: " + made.get("cause"));
        }
        return Double.parseDouble(made.getOrDefault("p99", "NaN"));
    }

    private double drain() {
        running.ask("fill " + running.take(BACKLOG) + " " + BACKLOG);
        Map<String, String> answer = running.ask("drain " + BACKLOG + " " + PATIENCE);
        running.ask("relay off");
        CorrectnessCheck.settled(Double.parseDouble(answer.getOrDefault("unsettled", "NaN")));
        return BACKLOG / Double.parseDouble(answer.getOrDefault("seconds", "NaN"));
    }
}
