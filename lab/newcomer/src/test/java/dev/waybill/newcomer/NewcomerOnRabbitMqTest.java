package dev.waybill.newcomer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ServiceSettings;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application with Spring AMQP and queues of its own; then each mistake that a newcomer makes in it. */
@Servers(Server.RABBITMQ)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NewcomerOnRabbitMqTest {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private RabbitMq server;
    private URLClassLoader loader;

    @BeforeAll
    void build(RabbitMq rabbitMq, @TempDir Path folder) throws Exception {
        server = rabbitMq;
        loader = NewcomerProject.create(
                        folder.resolve("shop"),
                        System.getProperty("newcomer.spring-boot"),
                        List.of(
                                "waybill-spring-boot-starter",
                                "waybill-rabbitmq",
                                "org.springframework.boot:spring-boot-starter-amqp",
                                "org.springframework.boot:spring-boot-starter-webmvc",
                                "org.springframework.boot:spring-boot-starter-actuator",
                                "com.h2database:h2"))
                .source("Application", "Application")
                .source("OrderService", "OrderService")
                .source("InvoiceConsumer", "InvoiceConsumer")
                .source("Queues", "Queues")
                .source("Mistakes", "Mistakes")
                .configuration("spring", "consume", "declarables")
                .build(LocalRepository.in(folder.resolve("repository")));
    }

    @AfterAll
    void close() throws Exception {
        loader.close();
    }

    @Test
    void theFirstEventIsConsumedWithNoRestartAndAPublishOutsideATransactionNamesTheFix() {
        try (StartedApplication shop = start()) {
            shop.post("/orders/ORD-1");
            await().atMost(PATIENCE).until(() -> shop.get("/invoices/ORD-1").equals("1"));
            assertThat(shop.health("waybillInbox")).isEqualTo("UP");
            assertThat(shop.health("waybillRelay")).isEqualTo("UP");
            assertThat(shop.output())
                    .contains(
                            "[RabbitMq] Using host=" + server.host() + " port=" + server.port(),
                            "setBy=spring.rabbitmq");
            shop.post("/mistakes/no-transaction");
            assertThat(shop.output()).contains("NoTransactionException", "@Transactional");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "waybill.outbox.ddl=none, waybill.outbox.ddl=apply",
        "waybill.inbox.ddl=none, waybill.inbox.ddl=apply",
        "mistake=two-data-sources, waybill.outbox.data-source",
        "mistake=wrong-parameter, Let it take the payload",
        "mistake=same-group-twice, handles OrderCreated already",
        "waybill.rabbitmq.dead-letters.queue=, waybill.rabbitmq.dead-letters.queue"
    })
    void aMistakeThatStopsTheStartNamesTheFix(String mistake, String fix) {
        try (StartedApplication shop = start(mistake)) {
            assertThat(shop.isRunning()).isFalse();
            assertThat(shop.output()).contains("APPLICATION FAILED TO START", fix);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"mistake=requires-new, REQUIRES_NEW", "mistake=impossible-parameter, java.lang.Thread"})
    void aListenerThatCannotKeepThePromiseStopsTheStart(String mistake, String word) {
        aMistakeThatStopsTheStartNamesTheFix(mistake, word);
    }

    @Test
    void aTypeWithoutARouteIsRefusedByPublishAndNamesTheProperty() {
        try (StartedApplication shop = start()) {
            shop.post("/mistakes/no-route");
            assertThat(shop.output()).contains("waybill.routes.OrderForgotten.topic");
        }
    }

    @Test
    void aWrongPasswordNamesHostPortAndUserAndHealthIsDown() {
        try (StartedApplication shop = start("spring.rabbitmq.password=mistyped")) {
            isDown(shop, server.port());
            assertThat(shop.output()).contains("user=" + server.user()).doesNotContain("mistyped");
        }
    }

    @Test
    void aBrokerThatIsNotThereIsNamedAndHealthIsDown() {
        try (StartedApplication shop = start("spring.rabbitmq.port=1")) {
            isDown(shop, 1);
        }
    }

    @Test
    void aMissingQueueIsNamedAndHealthIsDown() {
        try (StartedApplication shop = start("mistake=no-queue")) {
            await().atMost(PATIENCE).until(() -> shop.health("waybillInbox").equals("DOWN"));
            assertThat(shop.output()).contains("ORDER_TOPIC", "NOT_FOUND");
        }
    }

    private void isDown(StartedApplication shop, int port) {
        shop.post("/orders/ORD-1"); // commits, and waits in the table
        await().atMost(PATIENCE).until(() -> shop.health("waybillInbox").equals("DOWN"));
        await().atMost(PATIENCE).until(() -> shop.health("waybillRelay").equals("DOWN"));
        assertThat(shop.output()).contains("host=" + server.host() + " port=" + port);
    }

    private StartedApplication start(String... changes) {
        ServiceSettings settings =
                ServiceSettings.none().rabbitMq(server, server.freshVhost()).change(changes);
        return new StartedApplication(
                loader, settings.values().entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()));
    }
}
