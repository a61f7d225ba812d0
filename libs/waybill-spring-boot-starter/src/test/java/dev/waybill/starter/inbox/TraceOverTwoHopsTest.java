package dev.waybill.starter.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.Vhost;
import dev.waybill.starter.inbox.warehouse.FrontDoor;
import dev.waybill.starter.inbox.warehouse.RunningWarehouse;
import dev.waybill.starter.inbox.warehouse.WarehouseConfiguration;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An HTTP request's trace id stands in the log lines of a consumer two hops away: request, outbox, broker, first consumer,
 * outbox, broker, second consumer.
 */
@Servers({Server.POSTGRESQL, Server.RABBITMQ, Server.MARIADB, Server.ROCKETMQ})
@ExtendWith(OutputCaptureExtension.class)
class TraceOverTwoHopsTest {

    private final String own = UUID.randomUUID().toString();

    @Test
    void onRabbitMq(PostgreSql postgreSql, RabbitMq rabbitMq, CapturedOutput output) throws Exception {
        Vhost vhost = rabbitMq.freshVhost();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(vhost.amqpUri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("warehouse", "direct", true);
            for (String queue : List.of("orders", "stock", "dead.letters")) {
                channel.queueDeclare(queue, true, false, false, null);
                channel.queueBind(queue, "warehouse", queue);
            }
        }
        follow(
                postgreSql.freshDatabase(),
                Map.of(
                        "waybill.broker", "rabbitmq",
                        "waybill.rabbitmq.uri", vhost.amqpUri(),
                        "waybill.rabbitmq.dead-letters.queue", "dead.letters",
                        "warehouse.exchange", "warehouse",
                        "warehouse.orders", "orders",
                        "warehouse.stock", "stock",
                        "waybill.routes.StockReserved.topic", "warehouse",
                        "waybill.routes.StockReserved.tag", "stock"),
                output);
    }

    @Test
    void onRocketMq(MariaDb mariaDb, RocketMq rocketMq, CapturedOutput output) throws Exception {
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

    private void follow(Database database, Map<String, Object> settings, CapturedOutput output) throws Exception {
        String trace = "trace-" + UUID.randomUUID();
        RunningWarehouse.createTables(database);
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        WarehouseConfiguration.class, FrontDoor.class)
                .properties(RunningWarehouse.basics(database))
                .properties(withGroups(settings))
                .run()) {
            post(context, "ORD-1", trace);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(output.getAll().lines())
                            .anySatisfy(line -> assertThat(line).contains("[" + trace + "]", "shipping ORD-1"))
                            .anySatisfy(line -> assertThat(line)
                                    .contains("[" + trace + "]", "[Shipping] Message consumed successfully"))
                            .anySatisfy(line -> assertThat(line)
                                    .contains("[" + trace + "]", "[Stock] Message consumed successfully")));
        }
    }

    private Map<String, Object> withGroups(Map<String, Object> settings) {
        Map<String, Object> all = new LinkedHashMap<>(settings);
        all.put("warehouse.stock-group", "stock-" + own);
        all.put("warehouse.shipping-group", "shipping-" + own);
        all.put("server.port", "0");
        return all;
    }

    private static void post(ConfigurableApplicationContext context, String order, String trace) throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/orders/" + order))
                                .header("X-Trace-Id", trace)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("X-Trace-Id")).contains(trace);
    }
}
