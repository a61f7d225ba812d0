package dev.waybill.newcomer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The same code on RocketMQ: dependencies and configuration differ, as the document says. */
@Servers(Server.ROCKETMQ)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NewcomerOnRocketMqTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private URLClassLoader loader;

    @BeforeAll
    void build(@TempDir Path folder) throws Exception {
        loader = NewcomerProject.create(
                        folder.resolve("shop"),
                        System.getProperty("newcomer.spring-boot"),
                        List.of(
                                "waybill-spring-boot-starter",
                                "waybill-rocketmq",
                                "org.springframework.boot:spring-boot-starter-webmvc",
                                "org.springframework.boot:spring-boot-starter-actuator",
                                "com.h2database:h2"))
                .source("Application", "Application")
                .source("OrderService", "OrderService")
                .source("InvoiceConsumer", "InvoiceConsumer")
                .configuration("spring", "consume", "rocketmq")
                .build(LocalRepository.in(folder.resolve("repository")));
    }

    @AfterAll
    void close() throws Exception {
        loader.close();
    }

    @Test
    void theFirstEventIsConsumedWithNoRestart(RocketMq rocketMq) {
        rocketMq.createTopic("ORDER_TOPIC");
        try (StartedApplication shop =
                new StartedApplication(loader, Stream.of("waybill.rocketmq.name-server=" + rocketMq.nameServer()))) {
            String order = "ORD-" + System.nanoTime();
            shop.post("/orders/" + order);
            await().atMost(PATIENCE).until(() -> shop.get("/invoices/" + order).equals("1"));
        }
    }

    @Test
    void aNameServerThatIsNotThereIsNamedAndHealthIsDown() {
        try (StartedApplication shop =
                new StartedApplication(loader, Stream.of("waybill.rocketmq.name-server=127.0.0.1:1"))) {
            await().atMost(PATIENCE).until(() -> shop.health("waybillInbox").equals("DOWN"));
            assertThat(shop.output()).contains("127.0.0.1:1");
        }
    }
}
