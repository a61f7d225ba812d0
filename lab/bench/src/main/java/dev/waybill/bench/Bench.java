package dev.waybill.bench;

import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.ServerUnavailableException;
import dev.waybill.servers.SqlServer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Measures all that the options ask for, one environment after the other. */
final class Bench {

    private static final List<Server> DATABASES = List.of(Server.POSTGRESQL, Server.MARIADB);

    private static final List<String> TITLES = List.of(
            DrainWorkload.UNREAD,
            DrainWorkload.READ,
            LoadWorkload.STEADY,
            LoadWorkload.HALF,
            LoadWorkload.PACED,
            IdleWorkload.TITLE,
            EndToEndWorkload.STEADY,
            EndToEndWorkload.PACED,
            EndToEndWorkload.RESTART,
            GrowthCases.TITLE,
            SearchCases.TITLE,
            RetentionCases.TITLE);

    private final Options options;
    private final PrivateServers servers;
    private final List<ContenderSettings> contenders;
    private final Results results = new Results();
    private final Progress progress = new Progress();

    private Bench(Options options, PrivateServers servers) {
        this.options = options;
        this.servers = servers;
        List<ContenderSettings> all = Contenders.all().stream()
                .filter(contender -> options.peers() || contender.role() != ContenderSettings.Role.PEER)
                .toList();
        List<String> names = all.stream().map(ContenderSettings::id).toList();
        this.contenders = all.stream()
                .filter(contender -> options.wants(contender.id(), names))
                .toList();
    }

    /**
     * Measures everything.
     *
     * @param soFar told after each environment, because a run takes long and may be cut short
     */
    static Results measure(Options options, Consumer<Results> soFar) {
        try (PrivateServers servers = PrivateServers.open()) {
            servers.acquire(Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ);
            try (Durability durable = new Durability(servers)) {
                Bench bench = new Bench(options, servers);
                bench.progress.say(durable.text());
                if (options.sweep()) {
                    bench.sweep(bench.environments().get(0));
                    soFar.accept(bench.results);
                } else {
                    for (Environment environment : bench.environments()) {
                        bench.startOrStopRocketMq(environment);
                        bench.measureIn(environment);
                        soFar.accept(bench.results);
                    }
                }
                return bench.results;
            }
        }
    }

    private List<Environment> environments() {
        List<Environment> all = new ArrayList<>();
        for (Server database : DATABASES) {
            for (BrokerKind broker : BrokerKind.values()) {
                all.add(new Environment(database, broker));
            }
        }
        List<String> databases = DATABASES.stream().map(Server::title).toList();
        List<String> brokers =
                List.of(BrokerKind.values()).stream().map(BrokerKind::title).toList();
        return all.stream()
                .filter(environment -> !options.quick() || environment.broker() == BrokerKind.CLASSIC)
                .filter(environment -> options.wants(environment.database().title(), databases))
                .filter(environment -> options.wants(environment.broker().title(), brokers))
                .toList();
    }

    /** RocketMQ takes some percent of a small machine even when idle, so it runs only where it takes part. */
    private void startOrStopRocketMq(Environment environment) {
        if (options.quick()) {
            return;
        }
        boolean wanted = environment.broker() == BrokerKind.ROCKETMQ;
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

    private void measureIn(Environment environment) {
        try (Comparison comparison = new Comparison(servers, environment)) {
            run(comparison, drain(false));
            if (!options.quick()) {
                run(comparison, drain(true));
            }
            run(comparison, LoadWorkload.steady(options.seconds()));
            run(comparison, LoadWorkload.paced(options.seconds()));
            run(comparison, EndToEndWorkload.steady(options.seconds()));
            if (!options.quick()) {
                beyondCorrectness(comparison);
            }
        }
        if (!options.quick()
                && environment.broker() == BrokerKind.CLASSIC
                && options.wants(GrowthCases.TITLE, TITLES)) {
            grow(environment);
        }
        if (!options.quick()
                && environment.broker() == BrokerKind.CLASSIC
                && options.wants(SearchCases.TITLE, TITLES)) {
            search(environment);
        }
        if (!options.quick()
                && environment.broker() == BrokerKind.CLASSIC
                && options.wants(RetentionCases.TITLE, TITLES)) {
            retain(environment);
        }
    }

    private void search(Environment environment) {
        SqlServer server = environment.database() == Server.POSTGRESQL ? servers.postgreSql() : servers.mariaDb();
        contenders.stream()
                .filter(contender -> contender.id().equals(Contenders.WAYBILL))
                .forEach(waybill -> {
                    progress.say(SearchCases.TITLE + " · " + environment.title());
                    List<ResultRow> rows =
                            new SearchCases(options.scale()).rows(server::freshDatabase, environment, waybill);
                    results.add(SearchCases.TITLE, environment, SearchCases.columns(), rows);
                });
    }

    private DrainWorkload drain(boolean read) {
        return new DrainWorkload(read, options.events(), options.events() / 4);
    }

    private void beyondCorrectness(Comparison comparison) {
        if (options.wants(LoadWorkload.HALF, TITLES)) {
            steadyRate(comparison).ifPresent(rate -> run(comparison, LoadWorkload.half(rate / 2, options.seconds())));
        }
        run(comparison, new IdleWorkload(options.seconds()));
        run(comparison, EndToEndWorkload.paced(options.seconds()));
        run(comparison, EndToEndWorkload.restarting(servers.rabbitMq(), Math.max(20, options.seconds())));
    }

    /** What Waybill commits under steady load, measured now if this run was not asked to show it. */
    private OptionalDouble steadyRate(Comparison comparison) {
        OptionalDouble known =
                results.figure(LoadWorkload.STEADY, comparison.environment(), Contenders.WAYBILL, "committed");
        LoadWorkload steady = LoadWorkload.steady(options.seconds());
        if (known.isPresent() || options.wants(steady.title(), TITLES)) {
            return known;
        }
        List<ContenderSettings> waybill = contenders.stream()
                .filter(contender -> contender.id().equals(Contenders.WAYBILL))
                .toList();
        return comparison.run(steady, waybill, 1, true, progress).stream()
                .filter(ResultRow::isResult)
                .mapToDouble(row -> row.get("committed"))
                .findFirst();
    }

    private void run(Comparison comparison, Workload workload) {
        if (options.wants(workload.title(), TITLES)) {
            List<ResultRow> rows = comparison.run(workload, contenders, options.repeats(), !options.quick(), progress);
            results.add(workload.title(), comparison.environment(), workload.columns(), rows);
        }
    }

    /** Tries the settings that the files ask for. Each variant's process ends with its turn, because dozens would not fit in memory. */
    private void sweep(Environment environment) {
        List<Workload> workloads = List.of(drain(false), LoadWorkload.steady(options.seconds()));
        for (Workload workload : workloads) {
            List<ResultRow> rows = new ArrayList<>();
            for (ContenderSettings contender : contenders) {
                for (ContenderSettings variant : contender.variants()) {
                    try (Comparison comparison = new Comparison(servers, environment)) {
                        rows.addAll(comparison.run(
                                workload, List.of(variant), options.repeats(), !options.quick(), progress));
                    }
                }
            }
            results.add(workload.title(), environment, workload.columns(), rows);
        }
    }

    private Stream<ContenderSettings> waybill() {
        return contenders.stream().filter(contender -> contender.id().equals(Contenders.WAYBILL));
    }

    private void retain(Environment environment) {
        RetentionCases retention = new RetentionCases(options.scale());
        waybill().forEach(waybill -> {
            List<ResultRow> rows = retention.rows(servers, environment, waybill, options, progress);
            results.add(RetentionCases.TITLE, environment, RetentionCases.COLUMNS, rows);
        });
    }

    private void grow(Environment environment) {
        GrowthCases growth = new GrowthCases(options.scale());
        waybill().forEach(waybill -> {
            List<ResultRow> rows = growth.rows(servers, environment, waybill, options, progress);
            results.add(GrowthCases.TITLE, environment, List.of(ResultColumn.of("events/s", "rate", 0)), rows);
        });
    }
}
