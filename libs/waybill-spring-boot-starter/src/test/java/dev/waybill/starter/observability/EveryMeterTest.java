package dev.waybill.starter.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import dev.waybill.starter.retention.RetentionAutoConfiguration;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that publishes and listens has every meter, and Prometheus gets all of them. */
@Servers({Server.RABBITMQ, Server.ROCKETMQ})
class EveryMeterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    static class Orders {

        @WaybillListener(topic = "${orders.source:orders}", group = "${orders.group:g}", types = "Fine")
        void handle(Event event) {}
    }

    @Test
    void everyMeterIsThereAfterOneEvent(RabbitMq rabbitMq) throws IOException {
        run(rabbitMq, rabbitMq.managementUrl(), context -> {
            PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
            publish(context);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(registry.scrape())
                            .containsPattern("waybill_inbox_consumed_total\\{[^}]*type=\"Fine\"} 1")
                            .containsPattern("waybill_relay_delivery_seconds_count\\{topic=\"exchange\"} 1")
                            .containsPattern("waybill_outbox_backlog\\{state=\"sent\"} 1")
                            .containsPattern("waybill_rabbitmq_queue_consumers\\{queue=\"orders\"} [1-9]")
                            .containsPattern("waybill_rabbitmq_queue_ready\\{queue=\"dead.letters\"} 0")
                            .containsPattern("waybill_rabbitmq_memory_alarms 0"));
            Set<String> registered = registry.getMeters().stream()
                    .map(meter -> meter.getId().getName())
                    .filter(name -> name.startsWith("waybill."))
                    .collect(Collectors.toSet());
            assertThat(registered)
                    .isEqualTo(Arrays.stream(WaybillMeter.values())
                            .map(WaybillMeter::text)
                            .filter(name -> !name.startsWith("waybill.rocketmq."))
                            .collect(Collectors.toSet()));
        });
    }

    @Test
    void aManagementInterfaceThatIsAwayHoldsNothingUp(RabbitMq rabbitMq) throws IOException {
        run(rabbitMq, "http://127.0.0.1:1", context -> {
            PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
            publish(context);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(registry.scrape())
                            .containsPattern("waybill_inbox_consumed_total\\{[^}]*type=\"Fine\"} 1")
                            .containsPattern("waybill_outbox_backlog\\{state=\"sent\"} 1")
                            .containsPattern("waybill_rabbitmq_memory_alarms NaN"));
        });
    }

    @Test
    void rocketMqTellsOfGroupsAndDisks(RocketMq rocketMq) {
        String topic = "ORDERS-" + UUID.randomUUID();
        rocketMq.createTopic(topic);
        application(
                        "waybill.broker=rocketmq",
                        "waybill.rocketmq.name-server=" + rocketMq.nameServer(),
                        "waybill.rocketmq.figures.enabled=true",
                        "orders.source=" + topic,
                        "orders.group=" + topic,
                        "waybill.routes.Fine.topic=" + topic)
                .run(context -> {
                    PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
                    publish(context);
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(registry.scrape())
                                    .containsPattern("waybill_inbox_consumed_total\\{[^}]*type=\"Fine\"} 1")
                                    .containsPattern("waybill_rocketmq_group_lag\\{[^}]*} 0")
                                    .containsPattern("waybill_rocketmq_disk_ratio 0\\.[0-9]+"));
                });
    }

    /** Most applications have one broker's library at most, and some have no Jackson. */
    @Test
    void librariesThatAreNotThereAreNotMissed() {
        application("waybill.broker=memory", "waybill.routes.Fine.topic=orders")
                .withClassLoader(
                        new FilteredClassLoader("com.rabbitmq", "org.apache.rocketmq", "tools.jackson.databind"))
                .run(context -> assertThat(context).hasNotFailed().hasBean("waybillTableMetrics"));
    }

    private static void run(RabbitMq rabbitMq, String management, Consumer<AssertableApplicationContext> look)
            throws IOException {
        try (RabbitMqVhost vhost = RabbitMqVhost.open(rabbitMq)) {
            vhost.declare("exchange", "orders", "dead.letters");
            application(
                            "waybill.broker=rabbitmq",
                            "waybill.rabbitmq.uri=" + vhost.uri(),
                            "waybill.rabbitmq.dead-letters.queue=dead.letters",
                            "waybill.rabbitmq.management.uri=" + management,
                            "waybill.rabbitmq.management.user=" + rabbitMq.user(),
                            "waybill.rabbitmq.management.password=" + rabbitMq.password(),
                            "waybill.routes.Fine.topic=exchange",
                            "waybill.routes.Fine.tag=orders")
                    .run(context -> look.accept(context));
        }
    }

    private static ApplicationContextRunner application(String... settings) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        BrokerAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        InboxAutoConfiguration.class,
                        RetentionAutoConfiguration.class,
                        RelayMetricsAutoConfiguration.class,
                        InboxMetricsAutoConfiguration.class,
                        TableMetricsAutoConfiguration.class,
                        BrokerMetricsAutoConfiguration.class))
                .withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
                .withBean(Orders.class)
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "waybill.outbox.ddl=apply",
                        "waybill.inbox.ddl=apply",
                        "waybill.metrics.refresh=2s")
                .withPropertyValues(settings);
    }

    private static void publish(AssertableApplicationContext context) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class).publish("Fine", "{}"));
    }
}
