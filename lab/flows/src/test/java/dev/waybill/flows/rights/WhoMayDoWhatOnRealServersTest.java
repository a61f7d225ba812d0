package dev.waybill.flows.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Redis;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.HttpCalls;
import dev.waybill.servicetestkit.RabbitMqVhost;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** As {@code ./dev run --real} starts the services. */
@Servers({Server.MARIADB, Server.REDIS, Server.ROCKETMQ, Server.RABBITMQ})
class WhoMayDoWhatOnRealServersTest extends WhoMayDoWhat {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static RabbitMqVhost rabbit;
    private static ThreeServices services;

    @BeforeAll
    static void start(MariaDb sql, Redis redis, RocketMq rocketMq, RabbitMq rabbitMq) throws IOException {
        rabbit = RabbitMqVhost.open(rabbitMq);
        services = ThreeServices.real(sql, redis, rocketMq, rabbit);
    }

    @AfterAll
    static void stop() throws IOException {
        services.close();
        rabbit.close();
    }

    @Test
    void thereAreNoApiPagesNotEvenForOperators() {
        for (HttpCalls service : services.all()) {
            HttpCalls operator = Who.OPERATOR.calls(service);
            assertThat(operator.statusCode("/v3/api-docs")).isEqualTo(404);
            assertThat(operator.statusCode("/swagger-ui/index.html")).isEqualTo(404);
        }
    }

    @Test
    void everyDocumentedMeterIsThereAfterOneOrderAndOneSale() {
        Map<String, Deeds.Deed> deeds = new Deeds(services).byRequest();
        deeds.get("inventory GET /reservations/{orderNo}").by(Who.OPERATOR);
        deeds.get("marketplace GET /orders/{id}/fulfillment").by(Who.OPERATOR);
        for (HttpCalls service : services.all()) {
            assertThat(service.get("/actuator/health").body().path("status").asString())
                    .isEqualTo("UP");
        }
        await().atMost(PATIENCE).untilAsserted(() -> {
            DocumentedMeters.assertAllAreAt(Who.OPERATOR.calls(services.orders()), "rabbitmq");
            DocumentedMeters.assertAllAreAt(Who.OPERATOR.calls(services.inventory()), "rabbitmq");
            DocumentedMeters.assertAllAreAt(Who.OPERATOR.calls(services.market()), "rocketmq");
        });
    }

    @Override
    ThreeServices services() {
        return services;
    }
}
