package dev.waybill.starter.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.servers.RabbitMq;
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
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application on RabbitMQ that publishes and listens has every meter, and Prometheus gets all of them. */
@Servers(Server.RABBITMQ)
class EveryMeterTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    static class Orders {

        @WaybillListener(topic = "orders", group = "g", types = "Fine")
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

    private static void run(RabbitMq rabbitMq, String management, Consumer<AssertableApplicationContext> look)
            throws IOException {
        try (RabbitMqVhost vhost = RabbitMqVhost.open(rabbitMq)) {
            vhost.declare("exchange", "orders", "dead.letters");
            new ApplicationContextRunner()
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
                    .withBean(
                            PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
                    .withBean(Orders.class)
                    .withPropertyValues(
                            "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                            "waybill.broker=rabbitmq",
                            "waybill.rabbitmq.uri=" + vhost.uri(),
                            "waybill.rabbitmq.dead-letters.queue=dead.letters",
                            "waybill.rabbitmq.management.uri=" + management,
                            "waybill.rabbitmq.management.user=" + rabbitMq.user(),
                            "waybill.rabbitmq.management.password=" + rabbitMq.password(),
                            "waybill.outbox.ddl=apply",
                            "waybill.inbox.ddl=apply",
                            "waybill.metrics.refresh=2s",
                            "waybill.routes.Fine.topic=exchange",
                            "waybill.routes.Fine.tag=orders")
                    .run(context -> look.accept(context));
        }
    }

    private static void publish(AssertableApplicationContext context) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class).publish("Fine", "{}"));
    }
}
