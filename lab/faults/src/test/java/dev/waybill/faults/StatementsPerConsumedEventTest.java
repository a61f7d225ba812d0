package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The cost of consuming once, counted at the server: two statements besides the business's own. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
class StatementsPerConsumedEventTest {

    private static final int EVENTS = 3_000;

    @Test
    void consumingCostsTwoStatementsOnMariaDb(MariaDb sql, RocketMq broker) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            measure(environment, StatementCounter.at(sql), 1);
        }
    }

    @Test
    void consumingCostsTwoStatementsOnPostgreSql(PostgreSql sql, RabbitMq broker) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            measure(environment, StatementCounter.at(sql, environment.spec), 1);
        }
    }

    @Test
    void aBatchCostsNoMore(PostgreSql sql, RabbitMq broker) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            measure(environment, StatementCounter.at(sql, environment.spec), 20);
        }
    }

    private static void measure(ConsumerTestEnvironment environment, StatementCounter statements, int together) {
        AtomicInteger handled = new AtomicInteger();
        try (ConsumerNode node = new ConsumerNode(environment.spec.with("together", together), (connection, event) -> {
            handled.incrementAndGet();
            return ConsumerNode.effect(connection, event);
        })) {
            environment.send(EVENTS, 1);
            long begin = statements.count();
            node.consuming.start();
            await().atMost(Duration.ofSeconds(60)).until(() -> handled.get() >= EVENTS);
            assertThat(node.consuming.stop(Duration.ofSeconds(20))).isTrue();
            double perEvent = (statements.count() - begin - EVENTS) / (double) EVENTS; // less the business row's INSERT
            environment.print("statements per consumed event, %d together: %.4f", together, perEvent);
            assertThat(environment.effects()).isEqualTo(EVENTS);
            assertThat(perEvent).isLessThanOrEqualTo(2.0);
        }
    }
}
