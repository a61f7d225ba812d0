package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The relay's database is stopped, killed and paused for a while as business goes on. Of two relays one waits for its
 * database to come back, the other is stopped in the middle.
 */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL, Server.RABBITMQ})
@Tag("outage")
class DatabaseOutageTest {

    private static final int OUTAGE_SECONDS = Scenario.length(60, 5);

    /** The default for a whole application. */
    private static final Duration STOP_BUDGET = Duration.ofSeconds(Scenario.length(25, 5));

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private enum Fault {
        PAUSED(SqlServer::pause),
        STOPPED(SqlServer::stop),
        KILLED(SqlServer::kill);

        @SuppressWarnings("ImmutableEnumChecker") // a method reference does not change
        final Consumer<SqlServer> strike;

        Fault(Consumer<SqlServer> strike) {
            this.strike = strike;
        }
    }

    /** In each round every server meets another fault. */
    static IntStream rounds() {
        return IntStream.range(0, Scenario.length(Fault.values().length, 1));
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void anOutageOfTheDatabaseLosesNothingAndAStopInTheMiddleOfItEndsInTimeAndLeavesNoThread(
            int round, MariaDb mariaDb, MySql mySql, PostgreSql postgreSql, RabbitMq broker)
            throws InterruptedException, ExecutionException {
        List<SqlServer> servers = List.of(mariaDb, mySql, postgreSql);
        ExecutorService threads = Executors.newFixedThreadPool(servers.size());
        try {
            List<Future<?>> outages = new ArrayList<>();
            for (int i = 0; i < servers.size(); i++) {
                SqlServer server = servers.get(i);
                Fault fault = Fault.values()[(i + round) % Fault.values().length];
                outages.add(threads.submit(outage(server, fault, broker)));
            }
            for (Future<?> each : outages) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Boolean> outage(SqlServer server, Fault fault, RabbitMq broker) {
        String name = server.server().title() + " " + fault;
        return () -> {
            try (NodeUnderLoad waiting = NodeUnderLoad.start(environment(name, server, broker));
                    NodeUnderLoad stopped = NodeUnderLoad.start(environment(name, server, broker))) {
                fault.strike.accept(server);
                try {
                    long begun = System.nanoTime();
                    TimeUnit.SECONDS.sleep(OUTAGE_SECONDS / 6); // until everybody has noticed
                    stopInTheMiddle(stopped);
                    long left = TimeUnit.SECONDS.toNanos(OUTAGE_SECONDS) - (System.nanoTime() - begun);
                    TimeUnit.NANOSECONDS.sleep(left); // the outage itself
                    assertThat(waiting.node.relay.isRunning()).isTrue();
                } finally {
                    server.start();
                }
                comesBack(waiting);
                anotherHasItsRows(stopped);
            }
            return true;
        };
    }

    private static RelayTestEnvironment environment(String name, SqlServer server, RabbitMq broker) {
        return RelayTestEnvironment.onRabbit(name, server, broker, "waybill");
    }

    private static void stopInTheMiddle(NodeUnderLoad load) {
        assertThat(load.waybillThreads()).isNotEmpty();
        long begun = System.nanoTime();
        boolean clean = load.node.relay.stop(STOP_BUDGET);
        Duration stopped = Duration.ofNanos(System.nanoTime() - begun);
        load.node.relay.close();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(load.waybillThreads()).isEmpty());
        load.environment.print(
                "stop in the middle: %d ms of %d, clean=%s; no thread left after %d ms",
                stopped.toMillis(),
                STOP_BUDGET.toMillis(),
                clean,
                Duration.ofNanos(System.nanoTime() - begun).toMillis());
        assertThat(stopped).isLessThan(STOP_BUDGET.plusSeconds(2));
    }

    private static void comesBack(NodeUnderLoad load) {
        long back = System.nanoTime();
        int before = load.producers.committed().size();
        await().atMost(PATIENCE).until(() -> load.producers.committed().size() > before + 20);
        load.producers.stop();
        List<String> committed = load.awaitAllSent();
        load.environment.print(
                "away for %d s: committed=%d, all sent %.1f s after it was back, arrived=%d repeats=%d",
                OUTAGE_SECONDS,
                committed.size(),
                (System.nanoTime() - back) / 1e9,
                load.environment.arrivals.distinct(),
                load.environment.arrivals.repeats());
        LongLists.assertSame(load.environment.arrivals.ids(), committed);
        assertThat(load.node.relay.stop(STOP_BUDGET)).isTrue();
    }

    private static void anotherHasItsRows(NodeUnderLoad load) {
        load.producers.stop();
        try (RelayNode successor = new RelayNode(load.environment.spec)) {
            successor.relay.start();
            List<String> committed = load.awaitAllSent();
            LongLists.assertSame(load.environment.arrivals.ids(), committed);
        }
    }
}
