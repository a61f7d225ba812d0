package dev.waybill.starter.tracing;

import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.servicetestkit.otlp.OtlpReceiver;
import dev.waybill.starter.WaybillAutoConfiguration;
import dev.waybill.starter.broker.BrokerAutoConfiguration;
import dev.waybill.starter.inbox.InboxAutoConfiguration;
import dev.waybill.starter.inbox.WaybillListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Arrays;
import java.util.UUID;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.autoconfigure.NoopTracerAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that publishes, consumes and traces, all in memory. */
final class TracedApplication {

    /** Takes an order, and publishes once more from its handler. A child span shows what is current meanwhile. */
    static class Stock {

        private final Outbox outbox;
        private final ObservationRegistry observations;

        Stock(Outbox outbox, ObservationRegistry observations) {
            this.outbox = outbox;
            this.observations = observations;
        }

        @WaybillListener(topic = "ORDERS", group = "stock", types = "OrderCreated")
        void reserve(Event event) {
            Observation.createNotStarted("look at the shelf", observations).observe(() -> {});
            if (event.payload().contains("fail")) {
                throw new IllegalStateException("the shelf is gone");
            }
            outbox.publish("StockReserved", "{}");
        }

        @WaybillListener(topic = "STOCK", group = "orders", types = "StockReserved")
        void reserved(Event event) {}
    }

    private TracedApplication() {}

    static ApplicationContextRunner sendingTo(OtlpReceiver receiver) {
        return withoutTracer()
                .withConfiguration(AutoConfigurations.of(
                        OpenTelemetrySdkAutoConfiguration.class,
                        OpenTelemetryTracingAutoConfiguration.class,
                        OtlpTracingAutoConfiguration.class,
                        MicrometerTracingAutoConfiguration.class))
                .withPropertyValues(receiver.settings().entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toArray(String[]::new));
    }

    static ApplicationContextRunner withoutTracer() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        NoopTracerAutoConfiguration.class,
                        BrokerAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        InboxAutoConfiguration.class,
                        TracingAutoConfiguration.class))
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(Stock.class)
                .withPropertyValues(
                        "spring.application.name=shop",
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "waybill.broker=memory",
                        "waybill.outbox.ddl=apply",
                        "waybill.inbox.ddl=apply",
                        "waybill.inbox.retry-delays=10ms",
                        "waybill.retry.first=10ms",
                        "waybill.routes.OrderCreated.topic=ORDERS",
                        "waybill.routes.StockReserved.topic=STOCK");
    }

    static void publish(ApplicationContext context, String... payloads) {
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> context.getBean(Outbox.class)
                        .publishAll(Arrays.stream(payloads)
                                .map(payload -> Event.of("OrderCreated", payload))
                                .toList()));
    }
}
