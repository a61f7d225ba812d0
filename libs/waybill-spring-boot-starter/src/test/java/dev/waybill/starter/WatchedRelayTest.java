package dev.waybill.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.StoredMessage;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PublishException;
import dev.waybill.outbox.PublishException.Reason;
import dev.waybill.outbox.Relay;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.observability.RelayHealthAutoConfiguration;
import dev.waybill.starter.observability.RelayMetricsAutoConfiguration;
import dev.waybill.store.OutboxStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What an application sees of its relay: payloads, traces, meters, health, and an orderly stop. */
class WatchedRelayTest {

    record OrderCreated(String orderNo, int amount) {}

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    BrokerAutoConfiguration.class,
                    WaybillAutoConfiguration.class,
                    RelayMetricsAutoConfiguration.class,
                    RelayHealthAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withPropertyValues(
                    "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                    "waybill.broker=memory",
                    "waybill.outbox.ddl=apply",
                    "waybill.routes.OrderCreated.topic=ORDER_TOPIC",
                    "waybill.routes.OrderCreated.tag=ORDER_CREATED");

    @Test
    void aPayloadObjectArrivesAsJsonWithItsRouteAndItsTrace() {
        application.run(context -> {
            MDC.put("traceId", "trace-1");
            try {
                inTransaction(context, outbox -> outbox.publish("OrderCreated", new OrderCreated("ORD-1", 3)));
            } finally {
                MDC.remove("traceId");
            }
            await().until(() -> !arrived(context).isEmpty());
            var message = arrived(context).get(0).message();
            assertThat(message.event().payload()).isEqualTo("{\"orderNo\":\"ORD-1\",\"amount\":3}");
            assertThat(message.event().traceId()).isEqualTo("trace-1");
            assertThat(message.destination().tag()).isEqualTo("ORDER_CREATED");
        });
    }

    @Test
    void theMetersCountWhatTheRelayDid() {
        application.run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            inTransaction(context, outbox -> {
                Event old = Event.builder("OrderCreated")
                        .occurredAt(Instant.now().minus(Duration.ofHours(1)))
                        .build();
                outbox.publishAll(List.of(Event.of("OrderCreated", "{}"), old));
                // as a version would have done that still had a route for it
                context.getBean(OutboxStore.class).append(List.of(Event.of("Unknown", "{}")), null);
            });
            await().ignoreExceptions().untilAsserted(() -> {
                assertThat(meters.get("waybill.relay.sent")
                                .tags("topic", "ORDER_TOPIC", "type", "OrderCreated")
                                .counter()
                                .count())
                        .isEqualTo(2);
                assertThat(meters.get("waybill.relay.dead")
                                .tags("topic", "-", "type", "Unknown")
                                .counter()
                                .count())
                        .isEqualTo(1);
            });
            assertThat(meters.get("waybill.relay.dispatch")
                            .tag("topic", "ORDER_TOPIC")
                            .timer()
                            .count())
                    .isEqualTo(2);
            assertThat(meters.get("waybill.relay.delivery")
                            .tag("topic", "ORDER_TOPIC")
                            .timer()
                            .max(TimeUnit.MINUTES))
                    .isBetween(60.0, 65.0);
            assertThat(meters.get("waybill.relay.window").gauge().value()).isPositive();
            assertThat(meters.get("waybill.relay.inflight").gauge().value()).isZero();
        });
    }

    @Test
    void aBrokerThatIsDownIsSeenInMetersAndHealthUntilItIsBack() {
        application.run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            MemoryBroker broker = context.getBean(MemoryBroker.class);
            broker.goDown();
            inTransaction(context, outbox -> outbox.publish("OrderCreated", "{}"));
            await().ignoreExceptions()
                    .untilAsserted(() -> assertThat(meters.get("waybill.relay.destination.down")
                                    .tag("topic", "*")
                                    .gauge()
                                    .value())
                            .isEqualTo(1));
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            assertThat(health(context).getDetails())
                    .containsEntry("destinationsDown", Set.of("*"))
                    .containsEntry("sendsNothing", "the broker in memory: the broker is down");
            assertThat(meters.get("waybill.relay.sending").gauge().value()).isZero();
            broker.comeUp();
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(meters.get("waybill.relay.destination.down")
                                    .tag("topic", "*")
                                    .gauge()
                                    .value())
                            .isZero());
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(meters.get("waybill.relay.sending").gauge().value()).isEqualTo(1);
        });
    }

    @Test
    void aTypeWithoutARouteIsRefusedByPublishWhichNamesTheProperty() {
        application.run(context -> {
            assertThatThrownBy(() -> inTransaction(context, outbox -> outbox.publish("order.paid", "{}")))
                    .isInstanceOfSatisfying(
                            PublishException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_DESTINATION))
                    .hasMessageContaining("waybill.routes.[order.paid].topic");
            assertThat(context.getBean(OutboxStore.class).backlog().waiting()).isZero();
        });
        application
                .withPropertyValues("waybill.default-route.topic=REST")
                .run(context -> inTransaction(context, outbox -> outbox.publish("order.paid", "{}")));
    }

    @Test
    void aPayloadOfNullIsRefused() {
        application.run(context -> assertThatThrownBy(
                        () -> inTransaction(context, outbox -> outbox.publish("OrderCreated", nothing())))
                .isInstanceOf(PublishException.class)
                .hasMessageContaining("OrderCreated is null"));
    }

    /** What code without nullness checks may pass. */
    @SuppressWarnings("NullAway") // that is the mistake
    private static Object nothing() {
        return null;
    }

    @Test
    void aStopLeavesNothingClaimedAndARestartGoesOn() {
        application.run(context -> {
            Relay relay = context.getBean(Relay.class);
            RelayLifecycle lifecycle = context.getBean(RelayLifecycle.class);
            lifecycle.stop();
            assertThat(relay.isRunning()).isFalse();
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            inTransaction(context, outbox -> outbox.publish("OrderCreated", "{}"));
            assertThat(context.getBean(OutboxStore.class).backlog().waiting()).isEqualTo(1);
            lifecycle.start();
            await().until(() -> arrived(context).size() == 1);
        });
    }

    private static Health health(ApplicationContext context) {
        return context.getBean(HealthIndicator.class).health();
    }

    private static List<StoredMessage> arrived(ApplicationContext context) {
        return context.getBean(MemoryBroker.class).read("ORDER_TOPIC");
    }

    private static void inTransaction(ApplicationContext context, Consumer<Outbox> work) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> work.accept(context.getBean(Outbox.class)));
    }
}
