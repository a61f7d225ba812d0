package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.ReplayRequest;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.DeadLetterStore.Filter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dead letters go back to who failed and to nobody else, also when the process that sends them back dies over it. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
class ReplayTest {

    private static final int LETTERS = 400;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Test
    void aReplayReachesOnlyTheGroupThatFailed(MariaDb sql, RocketMq broker) throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            replayToOne(environment);
        }
    }

    @Test
    void aReplayReachesOnlyTheQueueThatFailed(PostgreSql sql, RabbitMq broker) throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            replayToOne(environment);
        }
    }

    private static void replayToOne(ConsumerTestEnvironment environment) throws InterruptedException {
        FailingHandler failing = new FailingHandler();
        FailingHandler healthy = new FailingHandler();
        NodeSettings one = environment.spec.with("delaysMs", "1000");
        try (ConsumerNode failingNode = failing.open(one);
                ConsumerNode healthyNode = healthy.open(environment.beside().with("delaysMs", "1000"))) {
            DeadLetters letters = failingNode.letters().build();
            letters.start();
            failingNode.consuming.start();
            healthyNode.consuming.start();
            failing.allBroken = true;
            List<String> sent = environment.send(10, 1);
            await().atMost(PATIENCE).until(() -> letters.count(Filter.any()) == sent.size());
            await().atMost(PATIENCE).until(() -> healthy.deliveries.size() == sent.size());
            failing.allBroken = false;
            DeadLetters.Preview preview = letters.preview(Filter.any());
            assertThat(preview.letters()).isEqualTo(sent.size());
            assertThat(preview.forgotten()).isZero();
            long begun = System.nanoTime();
            assertThat(letters.replay(
                                    Filter.any(), ReplayRequest.by("ops", "all").atMost(20))
                            .replayed())
                    .hasSize(sent.size());
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isGreaterThan(Duration.ofMillis(400)); // 20 a second
            await().atMost(PATIENCE).until(() -> environment.effects() == 2L * sent.size());
            environment.send(1, 1); // behind whatever else might come
            await().atMost(PATIENCE).until(() -> environment.effects() == 2L * (sent.size() + 1));

            assertThat(healthy.deliveries).hasSize(sent.size() + 1);
            assertThat(failing.deliveries).hasSize(sent.size() * 3 + 1);
            letters.stop(PATIENCE);
        }
    }

    @Test
    @Tag("kill")
    void killedCollectorsAndReplayersLoseAndDoubleNothingOnMariaDbAndRocketMq(
            MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            killWhileCollectingAndReplaying(environment, jvms);
        }
    }

    @Test
    @Tag("kill")
    void killedCollectorsAndReplayersLoseAndDoubleNothingOnPostgreSqlAndRabbitMq(
            PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            killWhileCollectingAndReplaying(environment, jvms);
        }
    }

    private static void killWhileCollectingAndReplaying(ConsumerTestEnvironment environment, ChildJvms jvms) {
        AtomicBoolean mended = new AtomicBoolean();
        try (ConsumerNode node = new ConsumerNode(
                environment.spec,
                (connection, event) ->
                        mended.get() ? ConsumerNode.effect(connection, event) : HandlerResult.reject("not mended"))) {
            node.consuming.start();
            List<String> sent = environment.send(LETTERS, 1);
            await().atMost(PATIENCE)
                    .until(() -> environment.tables.count("SELECT COUNT(*) FROM waybill_inbox WHERE status = 'FAILED'")
                            == LETTERS);
            String letters = "SELECT COUNT(*) FROM waybill_dead_letter";
            for (int enough : List.of(LETTERS / 8, LETTERS / 2)) {
                ChildJvm collector = jvms.start(DeadLetterProcess.class, environment.spec.arguments());
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> environment.tables.count(letters) >= enough);
                collector.kill9();
            }
            long atTheKill = environment.tables.count(letters);
            ChildJvm last = jvms.start(DeadLetterProcess.class, environment.spec.arguments());
            await().atMost(PATIENCE).until(() -> environment.tables.count(letters) >= LETTERS);
            last.kill9();
            assertThat(environment.tables.texts("SELECT event_id FROM waybill_dead_letter"))
                    .containsExactlyInAnyOrderElementsOf(sent);

            mended.set(true);
            NodeSettings replaying =
                    environment.spec.with("replay", 1).with("rate", 200).with("abandonedMs", 1000);
            for (int enough : List.of(LETTERS / 8, LETTERS / 2)) {
                ChildJvm replayer = jvms.start(DeadLetterProcess.class, replaying.arguments());
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> environment.effects() >= enough);
                replayer.kill9();
            }
            long halfSent = environment.tables.count(letters + " WHERE state = 'REPLAYING'");
            jvms.start(DeadLetterProcess.class, replaying.arguments());
            await().atMost(PATIENCE)
                    .until(() -> environment.tables.count(letters + " WHERE state = 'REPLAYED'") == LETTERS);
            await().atMost(PATIENCE).until(() -> environment.effects() >= LETTERS);
            environment.print(
                    "%d dead letters, collectors killed twice (%d kept then), replayers killed twice (%d half sent then)",
                    LETTERS, atTheKill, halfSent);
            assertThat(environment.tables.texts("SELECT event_id FROM effect"))
                    .containsExactlyInAnyOrderElementsOf(sent);
            assertThat(environment.tables.count(letters)).isEqualTo(LETTERS);
        }
    }
}
