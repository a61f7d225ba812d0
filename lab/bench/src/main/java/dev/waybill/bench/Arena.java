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

/** One ground with its lanes. A lane is opened when its contender is first asked, and stays open: its JVM is warm then. */
final class Arena implements AutoCloseable {

    /** The share of a turn in which a compiler may still be at work. */
    private static final double QUIET = 0.1;

    private final PrivateServers servers;
    private final Ground ground;
    private final Map<String, Lane> lanes = new LinkedHashMap<>();

    Arena(PrivateServers servers, Ground ground) {
        this.servers = servers;
        this.ground = ground;
    }

    Ground ground() {
        return ground;
    }

    /**
     * Lets contenders repeat a workload in turns.
     *
     * @param warmUp whether turns that do not count come first
     * @return a row for each, in the order given; one that failed once says why and is not asked again
     */
    List<Row> compete(Workload workload, List<Entrant> entrants, int repeats, boolean warmUp, Progress progress) {
        List<Entrant> taking = entrants.stream()
                .filter(entrant -> workload.takes(entrant, ground))
                .toList();
        Map<Entrant, List<Figures>> figures = new LinkedHashMap<>();
        Map<Entrant, String> failures = new LinkedHashMap<>();
        for (int repeat = warmUp ? 0 : 1; repeat <= repeats; repeat++) {
            for (Entrant entrant : taking) {
                if (failures.containsKey(entrant)) {
                    continue;
                }
                progress.show(workload.title(), ground, entrant, repeat, repeats);
                try {
                    if (repeat == 0) {
                        warmUp(workload, lane(entrant), progress);
                    } else {
                        figures.computeIfAbsent(entrant, key -> new ArrayList<>())
                                .add(workload.once(lane(entrant), false));
                    }
                } catch (NotAResultException e) {
                    failures.put(entrant, e.getMessage());
                    progress.failed(entrant, e);
                    drop(entrant);
                }
            }
        }
        return taking.stream()
                .map(entrant -> row(workload, entrant, figures.getOrDefault(entrant, List.of()), failures.get(entrant)))
                .toList();
    }

    /** Until the compilers have little left to do: on a busy machine, half a minute of them is in the way of everything else. */
    private static void warmUp(Workload workload, Lane lane, Progress progress) {
        double busy = 1;
        int turns = 0;
        while (busy > QUIET && turns < workload.warmUps()) {
            double compiled = lane.compiledSeconds();
            long begin = System.nanoTime();
            workload.once(lane, true);
            busy = (lane.compiledSeconds() - compiled) / ((System.nanoTime() - begin) / 1e9);
            turns++;
        }
        progress.say(String.format(
                Locale.ROOT,
                "warmed up in %d of at most %d turns, compilers busy %.2f",
                turns,
                workload.warmUps(),
                busy));
    }

    private Row row(Workload workload, Entrant entrant, List<Figures> repeats, @Nullable String failure) {
        Figures medians = failure != null || repeats.isEmpty() ? Figures.of() : Figures.medians(repeats);
        return new Row(workload.title(), ground, entrant, medians, repeats, failure);
    }

    Lane lane(Entrant entrant) {
        return lanes.computeIfAbsent(
                entrant.id(), id -> new Lane(entrant, ground, freshDatabase(), mailbox(), database(), broker()));
    }

    /** Another process of the same contender on a lane's database and mailbox. */
    Runner companion(Lane lane) {
        var venue = Lane.venue(lane.entrant(), lane.database(), lane.mailbox());
        venue.setProperty("venue.database", "shared");
        return new Runner(lane.entrant(), venue);
    }

    /** A contender that failed may be in any state: its next workload starts on a fresh lane. */
    void drop(Entrant entrant) {
        Lane lane = lanes.remove(entrant.id());
        if (lane != null) {
            lane.close();
        }
    }

    private SqlServer database() {
        return ground.database() == Server.POSTGRESQL ? servers.postgreSql() : servers.mariaDb();
    }

    private Database freshDatabase() {
        return database().freshDatabase();
    }

    private ServerHandle broker() {
        return ground.broker() == BrokerKind.ROCKETMQ ? servers.rocketMq() : servers.rabbitMq();
    }

    private Mailbox mailbox() {
        return ground.broker() == BrokerKind.ROCKETMQ
                ? new RocketMailbox(servers.rocketMq())
                : new RabbitMailbox(servers.rabbitMq(), ground.broker());
    }

    @Override
    public void close() {
        lanes.values().forEach(Lane::close);
        lanes.clear();
    }
}
