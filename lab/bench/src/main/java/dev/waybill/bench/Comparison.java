package dev.waybill.bench;

import dev.waybill.servers.Database;
import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.ServerHandle;
import dev.waybill.servers.SqlServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets contenders run workloads in turns in one environment. A contender's process is started when it is first needed and
 * stays, because its JVM is warm then.
 */
final class Comparison implements AutoCloseable {

    /** A process is warm when its compilers work for less than this share of a turn. */
    private static final double QUIET = 0.1;

    private final PrivateServers servers;
    private final Environment environment;
    private final Map<String, RunningContender> started = new LinkedHashMap<>();

    Comparison(PrivateServers servers, Environment environment) {
        this.servers = servers;
        this.environment = environment;
    }

    Environment environment() {
        return environment;
    }

    /**
     * Lets contenders repeat a workload in turns.
     *
     * @param warmUp whether turns that do not count come first
     * @return a row for each, in the order given; one that failed once says why and is not asked again
     */
    List<ResultRow> run(
            Workload workload, List<ContenderSettings> contenders, int repeats, boolean warmUp, Progress progress) {
        List<ContenderSettings> participants = contenders.stream()
                .filter(contender -> workload.includes(contender, environment))
                .toList();
        Map<ContenderSettings, List<Figures>> figures = new LinkedHashMap<>();
        Map<ContenderSettings, String> failures = new LinkedHashMap<>();
        for (int repeat = warmUp ? 0 : 1; repeat <= repeats; repeat++) {
            for (ContenderSettings contender : participants) {
                if (failures.containsKey(contender)) {
                    continue;
                }
                progress.show(workload.title(), environment, contender, repeat, repeats);
                try {
                    if (repeat == 0) {
                        warmUp(workload, running(contender), progress);
                    } else {
                        figures.computeIfAbsent(contender, key -> new ArrayList<>())
                                .add(workload.once(running(contender), false));
                    }
                } catch (NotAResultException e) {
                    failures.put(contender, e.getMessage());
                    progress.failed(contender, e);
                    drop(contender);
                }
            }
        }
        return participants.stream()
                .map(contender ->
                        row(workload, contender, figures.getOrDefault(contender, List.of()), failures.get(contender)))
                .toList();
    }

    /** Repeats the workload until the compilers have little left to do, because they take CPU time away from what is measured. */
    private static void warmUp(Workload workload, RunningContender running, Progress progress) {
        double busy = 1;
        int turns = 0;
        while (busy > QUIET && turns < workload.warmUps()) {
            double compiled = running.compiledSeconds();
            long begin = System.nanoTime();
            workload.once(running, true);
            busy = (running.compiledSeconds() - compiled) / ((System.nanoTime() - begin) / 1e9);
            turns++;
        }
        progress.say(String.format(
                Locale.ROOT,
                "warmed up in %d of at most %d turns, compilers busy %.2f",
                turns,
                workload.warmUps(),
                busy));
    }

    private ResultRow row(
            Workload workload, ContenderSettings contender, List<Figures> repeats, @Nullable String failure) {
        Figures medians = failure != null || repeats.isEmpty() ? Figures.of() : Figures.medians(repeats);
        return new ResultRow(workload.title(), environment, contender, medians, repeats, failure);
    }

    RunningContender running(ContenderSettings contender) {
        return started.computeIfAbsent(
                contender.id(),
                id -> new RunningContender(contender, environment, freshDatabase(), queue(), database(), broker()));
    }

    /** Another process of the same contender, with the same database and queue. */
    ContenderProcess companion(RunningContender running) {
        var config = RunningContender.config(running.contender(), running.database(), running.queue());
        config.setProperty("connect.database", "shared");
        return new ContenderProcess(running.contender(), config);
    }

    /** A contender that failed may be in any state: its next workload starts with a fresh process and database. */
    void drop(ContenderSettings contender) {
        RunningContender running = started.remove(contender.id());
        if (running != null) {
            running.close();
        }
    }

    private SqlServer database() {
        return environment.database() == Server.POSTGRESQL ? servers.postgreSql() : servers.mariaDb();
    }

    private Database freshDatabase() {
        return database().freshDatabase();
    }

    private ServerHandle broker() {
        return environment.broker() == BrokerKind.ROCKETMQ ? servers.rocketMq() : servers.rabbitMq();
    }

    private ReceivingQueue queue() {
        return environment.broker() == BrokerKind.ROCKETMQ
                ? new RocketMqReceivingQueue(servers.rocketMq())
                : new RabbitMqReceivingQueue(servers.rabbitMq(), environment.broker());
    }

    @Override
    public void close() {
        started.values().forEach(RunningContender::close);
        started.clear();
    }
}
