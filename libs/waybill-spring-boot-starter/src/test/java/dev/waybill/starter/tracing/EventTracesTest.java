package dev.waybill.starter.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import dev.waybill.servicetestkit.otlp.OtlpReceiver;
import dev.waybill.servicetestkit.otlp.OtlpSpan;
import dev.waybill.starter.EventTracing;
import dev.waybill.transport.SendFailure;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.ApplicationContext;

/** What a collector receives of an application that publishes and consumes. */
class EventTracesTest {

    private static final String W3C = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    private OtlpReceiver receiver;

    @BeforeEach
    void collector() throws IOException {
        receiver = OtlpReceiver.open();
    }

    @AfterEach
    void stop() {
        receiver.close();
    }

    @Test
    void anEventsWayOverTwoHopsIsOneTraceAndEachSpanTheChildOfTheOneBefore() {
        TracedApplication.sendingTo(receiver).run(context -> {
            Observation.createNotStarted("request", context.getBean(ObservationRegistry.class))
                    .observe(() -> TracedApplication.publish(context, "{}"));
            OtlpSpan last = awaited("process STOCK");

            assertThat(wayTo("process STOCK"))
                    .containsExactly(
                            "request INTERNAL",
                            "publish OrderCreated PRODUCER",
                            "send ORDERS PRODUCER",
                            "process ORDERS CONSUMER",
                            "publish StockReserved PRODUCER",
                            "send STOCK PRODUCER",
                            "process STOCK CONSUMER");
            assertThat(wayTo("look at the shelf")).contains("process ORDERS CONSUMER");
            assertThat(last.service()).isEqualTo("shop");
            assertThat(last.attributes())
                    .containsEntry("messaging.system", "memory")
                    .containsEntry("messaging.destination.name", "STOCK")
                    .containsEntry("messaging.consumer.group.name", "orders")
                    .containsEntry("waybill.attempt", "1")
                    .containsEntry("waybill.outcome", "done");
            assertThat(receiver.spans()).noneMatch(OtlpSpan::isError);
            Event sent = context.getBean(MemoryBroker.class)
                    .read("ORDERS")
                    .get(0)
                    .message()
                    .event();
            assertThat(sent.traceId()).isEqualTo(last.traceId());
            assertThat(context.getBean(MeterRegistry.class).getMeters())
                    .noneMatch(meter -> meter.getId().getName().matches("waybill\\.(publish|send|process).*"));
        });
    }

    @Test
    void aFailingHandlersSpanSaysErrorForEachDelivery() {
        TracedApplication.sendingTo(receiver).run(context -> {
            TracedApplication.publish(context, "{\"fail\":1}");
            await().until(() -> receiver.named("process ORDERS").size() == 2);

            List<OtlpSpan> deliveries = receiver.named("process ORDERS");
            OtlpSpan send = receiver.named("send ORDERS").get(0);
            assertThat(deliveries).allSatisfy(delivery -> {
                assertThat(delivery.isError()).isTrue();
                assertThat(delivery.error()).contains("the shelf is gone");
                assertThat(delivery.isChildOf(send)).isTrue();
            });
            assertThat(deliveries)
                    .extracting(delivery -> delivery.attributes().get("waybill.attempt"))
                    .containsExactly("1", "2");
            assertThat(receiver.named("publish StockReserved")).isEmpty();
        });
    }

    @Test
    void aRetriedSendIsASpanForEachAttempt() {
        TracedApplication.sendingTo(receiver).run(context -> {
            AtomicInteger sends = new AtomicInteger();
            context.getBean(MemoryBroker.class)
                    .answer(message -> sends.incrementAndGet() <= 2 ? SendFailure.NACKED : null);
            TracedApplication.publish(context, "{}");
            awaited("process ORDERS");

            OtlpSpan publish = awaited("publish OrderCreated");
            List<OtlpSpan> attempts = receiver.named("send ORDERS");
            assertThat(attempts).hasSize(3).allMatch(attempt -> attempt.isChildOf(publish));
            assertThat(attempts).extracting(OtlpSpan::isError).containsExactly(true, true, false);
            assertThat(attempts)
                    .extracting(attempt -> attempt.attributes().get("waybill.outcome"))
                    .containsExactly("nacked", "nacked", "confirmed");
            assertThat(receiver.named("process ORDERS").get(0).isChildOf(attempts.get(2)))
                    .isTrue();
        });
    }

    @Test
    void aTraceThatIsNotSampledIsNotExportedAndStaysSo() {
        TracedApplication.sendingTo(receiver).run(context -> {
            publishUnder(context, "00-" + W3C + "-" + CALLER + "-00");
            await().until(() ->
                    context.getBean(MemoryBroker.class).read("STOCK").size() == 1);
            TracedApplication.publish(context, "{}"); // a trace of its own; what was to come before has come
            awaited("process STOCK");

            assertThat(receiver.trace(W3C)).isEmpty();
            Event second = context.getBean(MemoryBroker.class)
                    .read("STOCK")
                    .get(0)
                    .message()
                    .event();
            assertThat(second.traceId()).isEqualTo("trace-1");
            assertThat(second.headers().get(TraceParent.HEADER)).matches("00-" + W3C + "-[0-9a-f]{16}-00");
        });
    }

    /** The caller's X-Trace-Id names our trace; the traceparent beside it goes on to OpenTelemetry. */
    @Test
    void aTraceIdThatIsNoW3cIdTravelsBesideTheTrace() {
        TracedApplication.sendingTo(receiver).run(context -> {
            publishUnder(context, "00-" + W3C + "-" + CALLER + "-01");
            OtlpSpan last = awaited("process STOCK");

            assertThat(last.traceId()).isEqualTo(W3C);
            assertThat(last.attributes()).containsEntry("waybill.trace_id", "trace-1");
            assertThat(receiver.named("publish OrderCreated").get(0).parentSpanId())
                    .isEqualTo(CALLER);
        });
    }

    @Test
    void withoutATracerNothingIsPutAround() {
        TracedApplication.withoutTracer()
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventTracing.class));
    }

    private static void publishUnder(ApplicationContext context, String traceparent) {
        MDC.put("traceId", "trace-1");
        MDC.put(TraceParent.HEADER, traceparent);
        try {
            TracedApplication.publish(context, "{}");
        } finally {
            MDC.clear();
        }
    }

    private OtlpSpan awaited(String name) {
        await().until(() -> !receiver.named(name).isEmpty());
        return receiver.named(name).get(0);
    }

    /** Names and kinds of the spans on the way to the first one of this name. */
    private List<String> wayTo(String name) {
        return receiver.chainsTo(name, awaited(name).traceId()).get(0).stream()
                .map(span -> span.name() + " " + span.kind())
                .toList();
    }
}
