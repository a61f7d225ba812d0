package dev.waybill.bench;

import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Tells on standard error what is being measured. */
final class Progress {

    private static final int WIDTH = 20;

    void show(String workload, Environment environment, ContenderSettings contender, int repeat, int repeats) {
        int full = WIDTH * Math.max(0, repeat) / Math.max(1, repeats);
        System.err.printf(
                "%s [%s%s] %s · %s · %s · %s%n",
                LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
                "#".repeat(full),
                "-".repeat(WIDTH - full),
                workload,
                environment.title(),
                contender.id(),
                repeat < 1 ? "warming up" : "repeat " + repeat + " of " + repeats);
    }

    void say(String text) {
        System.err.println(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + " " + text);
    }

    void failed(ContenderSettings contender, NotAResultException why) {
        say(contender.id() + " is not a result: " + why.getMessage());
    }
}
