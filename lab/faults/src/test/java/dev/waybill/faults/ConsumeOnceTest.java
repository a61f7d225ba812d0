package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every event comes at least twice, to two processes, one of which is killed again and again: each takes effect once. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
@Tag("kill")
class ConsumeOnceTest {

    private static final int EVENTS = Scenario.length(20_000, 4_000);
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Test
    void effectsAreEventsOnMariaDbAndRocketMq(MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            consume(environment, jvms);
        }
    }

    @Test
    void effectsAreEventsOnPostgreSqlAndRabbitMq(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            consume(environment, jvms);
        }
    }

    private static void consume(ConsumerTestEnvironment environment, ChildJvms jvms) {
        NodeSettings spec = environment.spec.with("concurrency", 8);
        ready(jvms.start(ConsumerProcess.class, spec.arguments()));
        ChildJvm doomed = ready(jvms.start(ConsumerProcess.class, spec.arguments()));
        long begun = System.nanoTime();
        List<String> sent = environment.send(EVENTS, 2);
        for (int kills = 1; kills <= 3; kills++) {
            long enough = (long) kills * EVENTS / 5;
            await().atMost(PATIENCE).until(() -> environment.effects() >= enough);
            doomed.kill9();
            doomed = ready(jvms.start(ConsumerProcess.class, spec.arguments()));
        }
        await().atMost(PATIENCE).until(() -> environment.effects() >= EVENTS);
        await().atMost(PATIENCE).until(() -> environment.done() >= EVENTS);
        // whatever still comes is a repeat: a marker behind it all says when it has come
        List<String> last = environment.send(200, 1);
        await().atMost(PATIENCE).until(() -> environment.effects() >= EVENTS + last.size());

        List<String> effects = environment.tables.texts("SELECT event_id FROM effect");
        environment.print(
                "%d events sent twice, 3 kills: effects=%d in %.1f s",
                EVENTS, effects.size() - last.size(), (System.nanoTime() - begun) / 1e9);
        sent.addAll(last);
        LongLists.assertSame(effects, sent);
        assertThat(environment.tables.count("SELECT COUNT(*) FROM waybill_inbox WHERE status <> 'SUCCESS'"))
                .isZero();
    }

    private static ChildJvm ready(ChildJvm process) {
        process.waitForLine("READY", Duration.ofSeconds(60));
        return process;
    }
}
