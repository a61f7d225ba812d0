package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.InboxListener;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Event;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.ServerHandle;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The consumer's database or its broker is away for a while: nothing is acknowledged without effect, nothing is spent. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
@Tag("outage")
class ConsumerOutageTest {

    private static final int EVENTS = 4_000;
    private static final int MORE = 400;
    private static final int OUTAGE_SECONDS = Scenario.length(30, 8);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void theDatabaseIsDownForAWhileInTheMiddleOfConsuming(
            MariaDb mariaDb, RocketMq rocketMq, PostgreSql postgreSql, RabbitMq rabbitMq) throws InterruptedException {
        try (Watched one = new Watched(ConsumerTestEnvironment.of(mariaDb, rocketMq));
                Watched two = new Watched(ConsumerTestEnvironment.of(postgreSql, rabbitMq))) {
            List<String> ofOne = one.environment.send(EVENTS, 1);
            List<String> ofTwo = two.environment.send(EVENTS, 1);
            one.node.consuming.start();
            one.halfWay();
            mariaDb.stop(); // clients see an orderly end
            two.node.consuming.start();
            two.halfWay();
            postgreSql.kill(); // and here a disorderly one
            ofOne.addAll(one.environment.send(
                    MORE, 1)); // a consumer that was quick has nothing left to meet the outage with
            ofTwo.addAll(two.environment.send(MORE, 1));
            TimeUnit.SECONDS.sleep(OUTAGE_SECONDS); // the outage itself
            int before = one.handled.get() + two.handled.get();
            mariaDb.start();
            postgreSql.start();

            one.allTookEffect(ofOne, "database away for " + OUTAGE_SECONDS + " s");
            two.allTookEffect(ofTwo, "database away for " + OUTAGE_SECONDS + " s");
            assertThat(before).as("some were left to consume").isLessThan(ofOne.size() + ofTwo.size());
            for (Watched each : List.of(one, two)) {
                assertThat(each.attempts).containsOnly(1);
                assertThat(each.troubles).containsExactly("paused database", "resumed database");
            }
        }
    }

    @Test
    void aRestartOfRabbitMqIsBridged(PostgreSql sql, RabbitMq broker) {
        try (Watched watched = new Watched(ConsumerTestEnvironment.of(sql, broker))) {
            restart(watched, broker);
        }
    }

    @Test
    void aRestartOfRocketMqIsBridged(MariaDb sql, RocketMq broker) {
        try (Watched watched = new Watched(ConsumerTestEnvironment.of(sql, broker))) {
            restart(watched, broker);
        }
    }

    private static void restart(Watched watched, ServerHandle broker) {
        List<String> sent = watched.environment.send(EVENTS, 1);
        watched.node.consuming.start();
        watched.halfWay();
        broker.kill();
        broker.start();

        watched.allTookEffect(sent, "broker killed and started");
        assertThat(watched.troubles).isEmpty();
    }

    /** A consumer whose deliveries, pauses and failures are written down. */
    private static final class Watched implements InboxListener, AutoCloseable {

        final ConsumerTestEnvironment environment;
        final ConsumerNode node;
        final AtomicInteger handled = new AtomicInteger();
        final Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
        final Queue<String> troubles = new ConcurrentLinkedQueue<>();

        Watched(ConsumerTestEnvironment environment) {
            this.environment = environment;
            this.node = new ConsumerNode(
                    environment.spec,
                    (connection, event) -> {
                        handled.incrementAndGet();
                        return ConsumerNode.effect(connection, event);
                    },
                    this,
                    Checkpoints.NONE,
                    delivery -> attempts.add(delivery.attempt()));
        }

        void halfWay() {
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> handled.get() > EVENTS / 4);
        }

        void allTookEffect(List<String> sent, String what) {
            long begun = System.nanoTime();
            await().atMost(PATIENCE).until(() -> environment.effects() >= sent.size());
            environment.print(
                    "%s: effects=%d deliveries=%d, all %.1f s after it was back",
                    what, environment.effects(), attempts.size(), (System.nanoTime() - begun) / 1e9);
            LongLists.assertSame(environment.tables.texts("SELECT event_id FROM effect"), sent);
            assertThat(environment.tables.count("SELECT COUNT(*) FROM waybill_inbox WHERE status <> 'SUCCESS'"))
                    .isZero();
        }

        @Override
        public void failed(Event event, String group, int attempt, String error) {
            troubles.add("failed " + error);
        }

        @Override
        public void deadLettered(Delivery delivery, String error) {
            troubles.add("dead " + error);
        }

        @Override
        public void paused(String dependency) {
            troubles.add("paused " + dependency);
        }

        @Override
        public void resumed(String dependency) {
            troubles.add("resumed " + dependency);
        }

        @Override
        public void close() {
            node.close();
            environment.close();
        }
    }
}
