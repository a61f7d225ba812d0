package dev.waybill.bench;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.ServerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** The command: everything in one run, one table. */
public final class Bench {

    private static final List<Server> DATABASES = List.of(Server.POSTGRESQL, Server.MARIADB);

    private final Options options;
    private final PrivateServers servers;
    private final List<Entrant> entrants;
    private final Results results = new Results();
    private final Progress progress = new Progress();

    private Bench(Options options, PrivateServers servers) {
        this.options = options;
        this.servers = servers;
        List<Entrant> all = Field.entrants().stream()
                .filter(entrant -> options.peers() || entrant.role() != Entrant.Role.PEER)
                .toList();
        List<String> names = all.stream().map(Entrant::id).toList();
        this.entrants = all.stream()
                .filter(entrant -> options.wants(entrant.id(), names))
                .toList();
    }

    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--help") || List.of(arguments).contains("-h")) {
            System.out.println(Options.USAGE);
            return;
        }
        try {
            run(Options.parse(arguments), ("./dev bench " + String.join(" ", arguments)).strip());
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            System.err.println(Options.USAGE);
            System.exit(2);
        }
    }

    /** Ends the process by hand, because the brokers' clients have threads that would keep a dead run alive. */
    private static void run(Options options, String command) {
        try {
            Machine.checkDisk(options.quick() ? 2 : 25);
            Machine machine = Machine.here();
            Runner.forgetEarlierRuns();
            Results results =
                    measure(options, found -> keep(new Run(command, machine, found, options.quick()), options));
            System.exit(report(new Run(command, machine, results, options.quick())));
        } catch (Machine.TooSmallException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        } catch (RuntimeException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    /** @param soFar told after each ground, because a run takes long and may be cut short */
    private static Results measure(Options options, Consumer<Results> soFar) {
        try (PrivateServers servers = PrivateServers.open()) {
            servers.acquire(Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ);
            try (Durability durable = new Durability(servers)) {
                Bench bench = new Bench(options, servers);
                bench.progress.say(durable.text());
                if (options.sweep()) {
                    bench.sweep(bench.grounds().get(0));
                    soFar.accept(bench.results);
                } else {
                    for (Ground ground : bench.grounds()) {
                        bench.clear(ground);
                        bench.on(ground);
                        soFar.accept(bench.results);
                    }
                }
                return bench.results;
            }
        }
    }

    private static void keep(Run run, Options options) {
        Json.write(run);
        if (options.page()) {
            Page.write(run);
        }
    }

    private static int report(Run run) {
        System.out.println(Page.text(run));
        for (Row row : run.results().broken()) {
            System.err.println("bench: " + row.workload() + ", " + row.ground().title() + ", "
                    + row.entrant().id() + ": " + row.failure());
        }
        return run.results().broken().isEmpty() ? 0 : 1;
    }

    private List<Ground> grounds() {
        List<Ground> all = new ArrayList<>();
        for (Server database : DATABASES) {
            for (BrokerKind broker : BrokerKind.values()) {
                all.add(new Ground(database, broker));
            }
        }
        List<String> databases = DATABASES.stream().map(Server::title).toList();
        List<String> brokers =
                List.of(BrokerKind.values()).stream().map(BrokerKind::title).toList();
        return all.stream()
                .filter(ground -> !options.quick() || ground.broker() == BrokerKind.CLASSIC)
                .filter(ground -> options.wants(ground.database().title(), databases))
                .filter(ground -> options.wants(ground.broker().title(), brokers))
                .toList();
    }

    /** RocketMQ takes some percent of a small machine when idle: it runs where it takes part. */
    private void clear(Ground ground) {
        if (options.quick()) {
            return;
        }
        boolean wanted = ground.broker() == BrokerKind.ROCKETMQ;
        try {
            if (wanted) {
                servers.rocketMq().start();
            } else if (servers.rocketMq().answers()) {
                servers.rocketMq().stop();
            }
        } catch (ServerUnavailableException e) {
            progress.say(
                    (wanted ? "RocketMQ does not start: " : "RocketMQ cannot be stopped and runs beside everything: ")
                            + e.getMessage());
        }
    }

    private void on(Ground ground) {
        try (Arena arena = new Arena(servers, ground)) {
            compete(arena, drain(false));
            if (!options.quick()) {
                compete(arena, drain(true));
            }
            compete(arena, Load.steady(options.seconds()));
            compete(arena, Load.paced(options.seconds()));
            compete(arena, EndToEnd.steady(options.seconds()));
            if (!options.quick()) {
                beyondCorrectness(arena);
            }
        }
        if (!options.quick() && ground.broker() == BrokerKind.CLASSIC && options.wants(Growth.TITLE, TITLES)) {
            grow(ground);
        }
    }

    private Drain drain(boolean read) {
        return new Drain(read, options.events(), options.events() / 4);
    }

    private void beyondCorrectness(Arena arena) {
        if (options.wants(Load.HALF, TITLES)) {
            steadyRate(arena).ifPresent(rate -> compete(arena, Load.half(rate / 2, options.seconds())));
        }
        compete(arena, new Idle(options.seconds()));
        compete(arena, EndToEnd.paced(options.seconds()));
        compete(arena, EndToEnd.restarting(servers.rabbitMq(), Math.max(20, options.seconds())));
    }

    /** What Waybill commits under steady load, measured now if this run was not asked to show it. */
    private OptionalDouble steadyRate(Arena arena) {
        OptionalDouble known = results.figure(Load.STEADY, arena.ground(), Field.WAYBILL, "committed");
        Load steady = Load.steady(options.seconds());
        if (known.isPresent() || options.wants(steady.title(), TITLES)) {
            return known;
        }
        List<Entrant> waybill = entrants.stream()
                .filter(entrant -> entrant.id().equals(Field.WAYBILL))
                .toList();
        return arena.compete(steady, waybill, 1, true, progress).stream()
                .filter(Row::isResult)
                .mapToDouble(row -> row.get("committed"))
                .findFirst();
    }

    private void compete(Arena arena, Workload workload) {
        if (options.wants(workload.title(), TITLES)) {
            List<Row> rows = arena.compete(workload, entrants, options.repeats(), !options.quick(), progress);
            results.add(workload.title(), arena.ground(), workload.columns(), rows);
        }
    }

    /** How the settings files came to be. A variant's process ends with its turn, or there would be dozens. */
    private void sweep(Ground ground) {
        List<Workload> workloads = List.of(drain(false), Load.steady(options.seconds()));
        for (Workload workload : workloads) {
            List<Row> rows = new ArrayList<>();
            for (Entrant entrant : entrants) {
                for (Entrant variant : entrant.variants()) {
                    try (Arena arena = new Arena(servers, ground)) {
                        rows.addAll(arena.compete(
                                workload, List.of(variant), options.repeats(), !options.quick(), progress));
                    }
                }
            }
            results.add(workload.title(), ground, workload.columns(), rows);
        }
    }

    private void grow(Ground ground) {
        Growth growth = new Growth(options.scale());
        entrants.stream().filter(entrant -> entrant.id().equals(Field.WAYBILL)).forEach(waybill -> {
            List<Row> rows = growth.rows(servers, ground, waybill, options, progress);
            results.add(Growth.TITLE, ground, List.of(Column.of("events/s", "rate", 0)), rows);
        });
    }

    private static final List<String> TITLES = List.of(
            Drain.UNREAD,
            Drain.READ,
            Load.STEADY,
            Load.HALF,
            Load.PACED,
            Idle.TITLE,
            EndToEnd.STEADY,
            EndToEnd.PACED,
            EndToEnd.RESTART,
            Growth.TITLE);
}
