package dev.waybill.starter.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpReply;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.starter.inbox.warehouse.OrderController;
import dev.waybill.starter.inbox.warehouse.RunningWarehouse;
import dev.waybill.starter.inbox.warehouse.WarehouseConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * An HTTP request's trace id stands in the log lines of a consumer two hops away: request, outbox, broker, first consumer,
 * outbox, broker, second consumer. So does the caller's traceparent, which names another trace and is not sampled.
 */
@Servers({Server.POSTGRESQL, Server.RABBITMQ, Server.MARIADB, Server.ROCKETMQ})
@ExtendWith(OutputCaptureExtension.class)
class TraceOverTwoHopsTest {

    private static final String W3C = "0af7651916cd43dd8448eb211c80319c";

    private final String own = UUID.randomUUID().toString();

    @Test
    void onRabbitMq(PostgreSql postgreSql, RabbitMq rabbitMq, CapturedOutput output) throws IOException {
        try (RabbitMqVhost vhost = RabbitMqVhost.open(rabbitMq)) {
            vhost.declare("warehouse", "orders", "stock", "dead.letters");
            follow(
                    postgreSql.freshDatabase(),
                    Map.of(
                            "waybill.broker", "rabbitmq",
                            "waybill.rabbitmq.uri", vhost.uri(),
                            "waybill.rabbitmq.dead-letters.queue", "dead.letters",
                            "warehouse.exchange", "warehouse",
                            "warehouse.orders", "orders",
                            "warehouse.stock", "stock",
                            "waybill.routes.StockReserved.topic", "warehouse",
                            "waybill.routes.StockReserved.tag", "stock"),
                    output);
        }
    }

    @Test
    void onRocketMq(MariaDb mariaDb, RocketMq rocketMq, CapturedOutput output) {
        rocketMq.createTopic("ORDERS-" + own);
        rocketMq.createTopic("STOCK-" + own);
        follow(
                mariaDb.freshDatabase(),
                Map.of(
                        "waybill.broker", "rocketmq",
                        "waybill.rocketmq.name-server", rocketMq.nameServer(),
                        "warehouse.exchange", "ORDERS-" + own,
                        "warehouse.orders", "ORDERS-" + own,
                        "warehouse.stock", "STOCK-" + own,
                        "waybill.routes.StockReserved.topic", "STOCK-" + own),
                output);
    }

    private void follow(Database database, Map<String, Object> settings, CapturedOutput output) {
        String trace = "trace-" + UUID.randomUUID();
        RunningWarehouse.createTables(database);
        try (RunningService warehouse = new RunningService(
                new SpringApplicationBuilder(WarehouseConfiguration.class, OrderController.class),
                RunningWarehouse.basics(database)
                        .setAll(settings)
                        .set("logging.level.dev.waybill.inbox.Inbox", "debug") // it tells of each handled event there
                        .set("warehouse.stock-group", "stock-" + own)
                        .set("warehouse.shipping-group", "shipping-" + own))) {
            post(warehouse, "ORD-1", trace);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(output.getAll().lines())
                            .anySatisfy(line -> assertThat(line)
                                    .contains("[" + trace + "]", "shipping ORD-1")
                                    .containsPattern("traceparent=00-" + W3C + "-[0-9a-f]{16}-00"))
                            .anySatisfy(line -> assertThat(line)
                                    .contains("[" + trace + "]", "[Shipping] Message consumed successfully"))
                            .anySatisfy(line -> assertThat(line)
                                    .contains("[" + trace + "]", "[Stock] Message consumed successfully")));
        }
    }

    private static void post(RunningService warehouse, String order, String trace) {
        HttpReply answer = warehouse.post(
                "/orders/" + order, "", "X-Trace-Id", trace, "traceparent", "00-" + W3C + "-b7ad6b7169203331-00");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers().firstValue("X-Trace-Id")).contains(trace);
    }
}
