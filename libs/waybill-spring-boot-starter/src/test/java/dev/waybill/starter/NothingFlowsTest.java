package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import dev.waybill.starter.observability.InboxHealthAutoConfiguration;
import dev.waybill.starter.observability.InboxMetricsAutoConfiguration;
import dev.waybill.starter.observability.RelayHealthAutoConfiguration;
import dev.waybill.starter.observability.RelayMetricsAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Where nothing flows, health is DOWN and names host, port and user, and an event that is published loses no attempt. */
@Servers({Server.RABBITMQ, Server.ROCKETMQ})
class NothingFlowsTest {

    private static final String UNREACHABLE = "127.0.0.1:1";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    InboxMetricsAutoConfiguration.class,
                    InboxHealthAutoConfiguration.class,
                    RelayMetricsAutoConfiguration.class,
                    RelayHealthAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withBean(Listening.class)
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                    "waybill.outbox.ddl=apply",
                    "waybill.inbox.ddl=apply",
                    "waybill.inbox.collect-dead-letters=false",
                    "waybill.stop-deadline=2s",
                    "waybill.rabbitmq.dead-letters.queue=letters",
                    "waybill.default-route.topic=shop",
                    "waybill.default-route.tag=orders",
                    "orders=orders");

    static class Listening {

        @WaybillListener(topic = "${orders}", group = "g", types = "OrderCreated")
        public void on(Event event) {}
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    @Test
    void aQueueThatDoesNotExistIsDownUntilItDoes(RabbitMq server) throws IOException {
        try (RabbitMqVhost vhost = RabbitMqVhost.open(server)) {
            URI uri = URI.create(vhost.uri());
            String user = uri.getUserInfo().replaceFirst(":.*", "");
            application
                    .withPropertyValues("waybill.broker=rabbitmq", "waybill.rabbitmq.uri=" + vhost.uri())
                    .run(context -> {
                        soon().untilAsserted(() -> assertDown(
                                inbox(context),
                                "no queue 'orders'",
                                uri.getHost() + ":" + uri.getPort(),
                                "user=" + user));
                        assertThat(receiving(context)).isZero();
                        soon().untilAsserted(() ->
                                assertThat(relay(context).getStatus()).isEqualTo(Status.UP));

                        vhost.declare("shop", "orders");
                        soon().untilAsserted(() ->
                                assertThat(inbox(context).getStatus()).isEqualTo(Status.UP));
                        assertThat(receiving(context)).isEqualTo(1);
                    });
        }
    }

    @Test
    void aWrongPasswordIsDownOnBothSidesAndNotRepeated(RabbitMq server) throws IOException {
        try (RabbitMqVhost vhost = RabbitMqVhost.open(server)) {
            URI uri = URI.create(vhost.uri());
            String address = uri.getHost() + ":" + uri.getPort();
            application
                    .withPropertyValues(
                            "waybill.broker=rabbitmq",
                            "waybill.rabbitmq.uri=amqp://somebody:mistyped@" + address + uri.getRawPath())
                    .run(context -> soon().untilAsserted(() -> {
                        assertDown(inbox(context), "ACCESS_REFUSED", address, "user=somebody");
                        assertDown(relay(context), "ACCESS_REFUSED", address, "user=somebody");
                        assertThat(context.getBean(Relay.class).isRunning()).isFalse();
                    }));
        }
    }

    @Test
    void anEventOfAnOutageOfRabbitMqKeepsItsAttemptsAndIsSentWhenTheBrokerIsBack(RabbitMq server) throws IOException {
        try (RabbitMqVhost vhost = RabbitMqVhost.open(server);
                FaultProxy proxy = FaultProxy.to(server)) {
            vhost.declare("shop", "orders");
            String name = URI.create(vhost.uri()).getPath().substring(1);
            application
                    .withPropertyValues(
                            "waybill.broker=rabbitmq",
                            "waybill.rabbitmq.uri=" + server.amqpUri(proxy.host(), proxy.port(), name))
                    .run(context -> {
                        soon().untilAsserted(() ->
                                assertThat(relay(context).getStatus()).isEqualTo(Status.UP));
                        proxy.refuse();
                        soon().untilAsserted(() -> assertDown(relay(context), "Connection refused"));
                        publish(context);
                        soon().until(() ->
                                !context.getBean(Relay.class).stats().down().isEmpty());
                        soon().untilAsserted(() -> assertThat(row(context)).isEqualTo("NEW 0"));
                        assertDown(inbox(context), String.valueOf(proxy.port()));

                        proxy.heal();
                        soon().untilAsserted(() -> {
                            assertThat(row(context)).isEqualTo("SENT 0");
                            assertThat(relay(context).getStatus()).isEqualTo(Status.UP);
                            assertThat(inbox(context).getStatus()).isEqualTo(Status.UP);
                        });
                    });
        }
    }

    @Test
    void aTopicOfRocketMqThatDoesNotExistIsDownUntilItDoes(RocketMq server) {
        String topic = "late-" + UUID.randomUUID();
        application
                .withPropertyValues(
                        "waybill.broker=rocketmq",
                        "waybill.rocketmq.name-server=" + server.nameServer(),
                        "orders=" + topic)
                .run(context -> {
                    soon().untilAsserted(() -> {
                        assertDown(inbox(context), "topic " + topic + " does not exist", server.nameServer());
                        assertThat(relay(context).getStatus()).isEqualTo(Status.UP);
                    });

                    server.createTopic(topic);
                    soon().untilAsserted(
                                    () -> assertThat(inbox(context).getStatus()).isEqualTo(Status.UP));
                    assertThat(receiving(context)).isEqualTo(1);
                });
    }

    @Test
    void anEventForARocketMqThatIsNotThereKeepsItsAttempts() {
        application
                .withPropertyValues("waybill.broker=rocketmq", "waybill.rocketmq.name-server=" + UNREACHABLE)
                .run(context -> {
                    publish(context);
                    soon().until(() ->
                            !context.getBean(Relay.class).stats().down().isEmpty());
                    soon().untilAsserted(() -> {
                        assertThat(row(context)).isEqualTo("NEW 0");
                        assertDown(relay(context), UNREACHABLE);
                        assertDown(inbox(context), UNREACHABLE);
                    });
                });
    }

    private static void assertDown(Health health, String... words) {
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().toString()).contains(words).doesNotContain("mistyped");
    }

    private static Health inbox(ApplicationContext context) {
        return context.getBean("waybillInboxHealthIndicator", HealthIndicator.class)
                .health();
    }

    private static Health relay(ApplicationContext context) {
        return context.getBean("waybillRelayHealthIndicator", HealthIndicator.class)
                .health();
    }

    private static double receiving(ApplicationContext context) {
        return context.getBean(MeterRegistry.class)
                .get("waybill.inbox.receiving")
                .gauge()
                .value();
    }

    private static void publish(ApplicationContext context) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class).publish("OrderCreated", "{}"));
    }

    /** State and attempts of the only row. */
    private static String row(ApplicationContext context) {
        return context.getBean(JdbcTemplate.class)
                .queryForObject(
                        "SELECT status || ' ' || attempts FROM waybill_outbox",
                        (result, number) -> result.getString(1));
    }
}
