package dev.waybill.bench;

import dev.waybill.servers.CpuMeter;
import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.SqlServer;
import java.util.List;
import java.util.Locale;

/** Prints, for each pair of database and broker, the drain rate, the broker's raw confirmed rate and their ratio. */
public final class Smoke {

    private static final String USAGE = """
            Usage: ./dev bench [--events N] [--rounds N] [--only TEXT]
              --events N    events in each backlog, 20000 by default
              --rounds N    interleaved rounds of raw and drain, 3 by default
              --only TEXT   only rows whose name contains the text, such as "quorum"
            Rates belong to this machine; compare the ratios. CPU is milliseconds for 1,000 events: this process + the
            database + the broker. On a machine that is busy otherwise, trust the CPU more than the clock.""";

    private Smoke() {}

    public static void main(String[] arguments) {
        int events = 20_000;
        int rounds = 3;
        String only = "";
        try {
            for (int i = 0; i < arguments.length; i += 2) {
                switch (arguments[i]) {
                    case "--events" -> events = Integer.parseInt(arguments[i + 1]);
                    case "--rounds" -> rounds = Integer.parseInt(arguments[i + 1]);
                    case "--only" -> only = arguments[i + 1].toLowerCase(Locale.ROOT);
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
        run(events, rounds, only);
    }

    private static void run(int events, int rounds, String only) {
        try (PrivateServers servers = PrivateServers.open()) {
            servers.acquire(Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ);
            System.out.println("| track | raw confirmed/s | drain/s | ratio | raw CPU | drain CPU | ratio of CPU |");
            System.out.println("| --- | --- | --- | --- | --- | --- | --- |");
            for (SqlServer sql : List.of(servers.postgreSql(), servers.mariaDb())) {
                for (String broker : List.of("RabbitMQ classic", "RabbitMQ quorum", "RocketMQ")) {
                    String name = sql.server().title() + " + " + broker;
                    if (name.toLowerCase(Locale.ROOT).contains(only)) {
                        measure(name, sql, broker(servers, broker), events, rounds);
                    }
                }
            }
        }
    }

    private static Broker broker(PrivateServers servers, String name) {
        return switch (name) {
            case "RabbitMQ classic" -> new RabbitBroker(servers.rabbitMq(), "classic");
            case "RabbitMQ quorum" -> new RabbitBroker(servers.rabbitMq(), "quorum");
            default -> new RocketBroker(servers.rocketMq());
        };
    }

    private static void measure(String name, SqlServer sql, Broker broker, int events, int rounds) {
        try (broker;
                Backlog backlog = new Backlog(sql.freshDatabase())) {
            System.out.println(
                    new Track(name, backlog, broker, new CpuMeter(sql, broker.server())).measure(events, rounds));
        }
    }
}
