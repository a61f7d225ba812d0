package dev.waybill.bench;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints, for each broker, the drain rate, the broker's raw confirmed rate and their ratio: medians of interleaved rounds. */
public final class Smoke {

    private static final String USAGE = """
            Usage: ./dev bench [--events N] [--rounds N]
              --events N   events in each backlog, 20000 by default
              --rounds N   interleaved rounds of raw and drain, 3 by default
            Rates belong to this machine; compare the ratios.""";
    private static final int BYTES = 1024;

    private Smoke() {}

    public static void main(String[] arguments) {
        int events = 20_000;
        int rounds = 3;
        try {
            for (int i = 0; i < arguments.length; i += 2) {
                switch (arguments[i]) {
                    case "--events" -> events = Integer.parseInt(arguments[i + 1]);
                    case "--rounds" -> rounds = Integer.parseInt(arguments[i + 1]);
                    case "--help", "-h" -> {
                        System.out.println(USAGE);
                        return;
                    }
                    default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
                }
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            System.err.println("bench: " + e.getMessage());
            System.err.println(USAGE);
            System.exit(2);
        }
        run(events, rounds);
    }

    private static void run(int events, int rounds) {
        try (PrivateServers servers = PrivateServers.open()) {
            servers.acquire(Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ);
            System.out.println("| track | raw confirmed/s | drain/s | ratio |");
            System.out.println("| --- | --- | --- | --- |");
            try (Track rabbit = new RabbitTrack(servers.postgreSql(), servers.rabbitMq())) {
                measure(rabbit, events, rounds);
            }
            try (Track rocket = new RocketTrack(servers.mariaDb(), servers.rocketMq())) {
                measure(rocket, events, rounds);
            }
        }
    }

    private static void measure(Track track, int events, int rounds) {
        List<Double> raw = new ArrayList<>();
        List<Double> drain = new ArrayList<>();
        progress(track.name() + ": warming up");
        track.raw(events / 2, BYTES);
        track.drain(events / 2, BYTES);
        for (int round = 1; round <= rounds; round++) {
            progress(track.name() + ": round " + round + " of " + rounds);
            raw.add(track.raw(events, BYTES));
            drain.add(track.drain(events, BYTES));
        }
        double broker = median(raw);
        double relay = median(drain);
        System.out.printf(Locale.ROOT, "| %s | %.0f | %.0f | %.2f |%n", track.name(), broker, relay, relay / broker);
    }

    private static void progress(String line) {
        System.err.println("bench: " + line);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
