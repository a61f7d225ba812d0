package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.EventHandler;
import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.testkit.CrashPoints;
import dev.waybill.testkit.HandlerCrashKit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A consumer dies before its handler, after it, and between commit and acknowledgement: one effect, every time. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
class HandlerCrashTest {

    private static final int EVENTS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource(names = {"ADMITTED", "HANDLED", "CONSUMED"})
    @Tag("kill")
    void aProcessThatDiesHereHasOneEffectPerEventOnMariaDbAndRocketMq(
            Place place, MariaDb sql, RocketMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            die(environment, place, jvms);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ADMITTED", "HANDLED", "CONSUMED"})
    @Tag("kill")
    void aProcessThatDiesHereHasOneEffectPerEventOnPostgreSqlAndRabbitMq(
            Place place, PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            die(environment, place, jvms);
        }
    }

    private static void die(ConsumerTestEnvironment environment, Place place, ChildJvms jvms) {
        List<String> sent = environment.send(EVENTS, 1);
        ChildJvm doomed = jvms.start(ChildJvm.of(ConsumerProcess.class)
                .arguments(environment.spec.arguments())
                .jvmOptions("-D" + CrashPoints.PROPERTY + "=" + place + ":10:process"));
        assertThat(doomed.waitForExit(PATIENCE)).isEqualTo(CrashPoints.EXIT_STATUS);
        assertThat(doomed.lines()).anyMatch(line -> line.contains("PROCESS dies at " + place));
        long before = environment.effects();
        try (ConsumerNode successor = new ConsumerNode(environment.spec, ConsumerNode::effect)) {
            successor.consuming.start();
            await().atMost(PATIENCE).until(() -> environment.effects() >= EVENTS);
        }
        environment.print("died at %s: effects before %d, in the end %d", place, before, environment.effects());
        assertThat(environment.tables.texts("SELECT event_id FROM effect")).containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void theKitPassesAHandlerThatWritesInsideTheTransaction(PostgreSql sql, RabbitMq broker)
            throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker);
                ConsumerNode node = new ConsumerNode(environment.spec, ConsumerNode::effect)) {
            kit(environment, node, event -> inside(node, event)).verify();
        }
    }

    @Test
    void theKitFindsAHandlerThatWritesOnAConnectionOfItsOwn(PostgreSql sql, RabbitMq broker) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker);
                ConsumerNode node = new ConsumerNode(environment.spec, ConsumerNode::effect)) {
            assertThatThrownBy(() -> kit(environment, node, event -> outside(node, event))
                            .verify())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("died at HANDLED");
        }
    }

    private static HandlerCrashKit kit(ConsumerTestEnvironment environment, ConsumerNode node, EventHandler handler) {
        return HandlerCrashKit.of(node.store, node.transactions)
                .handler(ConsumerNode.TYPE, handler)
                .events(Producers::event)
                .effects(event -> environment.tables.count(
                        "SELECT COUNT(*) FROM effect WHERE event_id = '" + event.eventId() + "'"));
    }

    private static HandlerResult inside(ConsumerNode node, Event event) {
        try {
            return node.transactions.call(connection -> ConsumerNode.effect(connection, event));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HandlerResult outside(ConsumerNode node, Event event) {
        try (var connection = node.dataSource.getConnection()) {
            return ConsumerNode.effect(connection, event);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
