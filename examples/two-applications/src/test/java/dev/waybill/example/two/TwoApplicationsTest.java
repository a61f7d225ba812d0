package dev.waybill.example.two;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.example.two.invoices.InvoicesApplication;
import dev.waybill.example.two.orders.OrdersApplication;
import dev.waybill.example.two.orders.OrdersApplication.Orders;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.DocumentedExample;
import dev.waybill.servicetestkit.ServiceSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Both applications as they are shown, on empty databases and on brokers that nobody prepared beyond a topic. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ, Server.MARIADB, Server.ROCKETMQ})
class TwoApplicationsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @Test
    void anOrderIsInvoicedOnRabbitMqAndPostgreSql(PostgreSql postgreSql, RabbitMq rabbitMq) {
        ServiceSettings settings = ServiceSettings.none()
                .set("spring.profiles.active", "rabbitmq")
                .rabbitMq(rabbitMq, rabbitMq.freshVhost());
        invoiced(
                settings.copy().dataSource(postgreSql.freshDatabase()),
                settings.copy().dataSource(postgreSql.freshDatabase()));
    }

    @Test
    void anOrderIsInvoicedOnRocketMqAndMariaDb(MariaDb mariaDb, RocketMq rocketMq) {
        String topic = "SHOP-" + UUID.randomUUID();
        rocketMq.createTopic(topic);
        ServiceSettings settings = ServiceSettings.none()
                .set("spring.profiles.active", "rocketmq")
                .set("waybill.rocketmq.name-server", rocketMq.nameServer())
                .set("waybill.routes.OrderCreated.topic", topic)
                .set("invoices.source", topic);
        invoiced(
                settings.copy().dataSource(mariaDb.freshDatabase()),
                settings.copy().dataSource(mariaDb.freshDatabase()));
    }

    private static void invoiced(ServiceSettings invoicing, ServiceSettings ordering) {
        try (ConfigurableApplicationContext invoices = InvoicesApplication.start(invoicing.arguments());
                ConfigurableApplicationContext orders = OrdersApplication.start(ordering.arguments())) {
            orders.getBean(Orders.class).place("ORD-1");
            await().atMost(PATIENCE).until(() -> invoicesOf(invoices, "ORD-1") == 1);
        }
    }

    private static int invoicesOf(ConfigurableApplicationContext invoices, String orderNo) {
        return invoices.getBean(JdbcClient.class)
                .sql("SELECT count(*) FROM invoices WHERE order_no = ?")
                .param(orderNo)
                .query(Integer.class)
                .single();
    }

    @ParameterizedTest
    @CsvSource({
        "orders, java, //, src/main/java/dev/waybill/example/two/orders/OrdersApplication.java",
        "invoices, java, //, src/main/java/dev/waybill/example/two/invoices/InvoicesApplication.java",
        "orders-rabbitmq, yaml, #, src/main/resources/orders.yaml",
        "invoices-rabbitmq, yaml, #, src/main/resources/invoices.yaml",
        "orders-rocketmq, yaml, #, src/main/resources/orders.yaml",
        "invoices-rocketmq, yaml, #, src/main/resources/invoices.yaml"
    })
    void theDocumentsShowThisCode(String example, String language, String comment, String source) throws IOException {
        for (String document : new String[] {"docs/getting-started.md", "docs/getting-started.zh-CN.md"}) {
            assertThat(DocumentedExample.shown(document, example, language))
                    .as(document)
                    .isEqualTo(DocumentedExample.region("examples/two-applications/" + source, comment, example));
        }
    }
}
