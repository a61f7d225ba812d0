package dev.waybill.starter.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import dev.waybill.memory.MemoryBroker;
import dev.waybill.message.Event;
import dev.waybill.message.TraceParent;
import dev.waybill.outbox.Outbox;
import dev.waybill.servicetestkit.otlp.OtlpReceiver;
import dev.waybill.servicetestkit.otlp.OtlpSpan;
import dev.waybill.starter.EventTracing;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.store.NoTransactionException;
import dev.waybill.transport.SendFailure;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.otlp.OtlpHttpSpanExporterBuilderCustomizer;
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
        MDC.clear();
        receiver.close();
    }

    @Test
    void anEventsWayOverTwoHopsIsOneTraceAndEachSpanTheChildOfTheOneBefore() {
        TracedApplication.sendingTo(receiver).run(context -> {
            Observation.createNotStarted("request", context.getBean(ObservationRegistry.class))
                    .observe(() -> TracedApplication.publish(context, "{}"));

            awaitWay(
                    "request INTERNAL",
                    "publish OrderCreated PRODUCER",
                    "send ORDERS PRODUCER",
                    "process ORDERS CONSUMER",
                    "publish StockReserved PRODUCER",
                    "send STOCK PRODUCER",
                    "process STOCK CONSUMER");
            awaitWay(
                    "request INTERNAL",
                    "publish OrderCreated PRODUCER",
                    "send ORDERS PRODUCER",
                    "process ORDERS CONSUMER",
                    "look at the shelf INTERNAL");
            OtlpSpan last = receiver.named("process STOCK").get(0);
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
            List<OtlpSpan> deliveries = awaited("process ORDERS", 2);
            OtlpSpan send = awaited("send ORDERS", 1).get(0);

            assertThat(deliveries).allSatisfy(delivery -> {
                assertThat(delivery.isError()).isTrue();
                assertThat(delivery.error()).contains("the shelf is gone");
                assertThat(delivery.isChildOf(send)).isTrue();
            });
            assertThat(deliveries)
                    .extracting(delivery -> delivery.attributes().get("waybill.attempt"))
                    .containsExactlyInAnyOrder("1", "2");
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
            List<OtlpSpan> attempts = awaited("send ORDERS", 3);
            OtlpSpan publish = awaited("publish OrderCreated", 1).get(0);

            assertThat(attempts).allMatch(attempt -> attempt.isChildOf(publish));
            assertThat(attempts).extracting(OtlpSpan::isError).containsExactly(true, true, false);
            assertThat(attempts)
                    .extracting(attempt -> attempt.attributes().get("waybill.outcome"))
                    .containsExactly("nacked", "nacked", "confirmed");
            assertThat(awaited("process ORDERS", 1).get(0).isChildOf(attempts.get(2)))
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
            awaited("process STOCK", 1);

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

    @Test
    void anEventThatIsTakenFromTheTableContinuesItsTrace() {
        TracedApplication.sendingTo(receiver).run(context -> {
            RelayLifecycle relay = context.getBean(RelayLifecycle.class);
            relay.stop();
            TracedApplication.publish(context, "{}");
            relay.start();

            awaitWay("publish OrderCreated PRODUCER", "send ORDERS PRODUCER", "process ORDERS CONSUMER");
        });
    }

    @Test
    void aPublishThatIsRefusedSaysSoAndLeavesTheCallersTraceAsItWas() {
        TracedApplication.sendingTo(receiver).run(context -> {
            MDC.put("traceId", "trace-1");
            assertThatThrownBy(() -> context.getBean(Outbox.class).publish("OrderCreated", "{}"))
                    .isInstanceOf(NoTransactionException.class);
            assertThat(MDC.getCopyOfContextMap()).containsOnly(entry("traceId", "trace-1"));
            assertThat(awaited("publish OrderCreated", 1)).allMatch(OtlpSpan::isError);
        });
    }

    @Test
    void inABatchEachEventKeepsItsOwnTrace() {
        TracedApplication.sendingTo(receiver)
                .withPropertyValues("waybill.inbox.batch=10", "waybill.inbox.concurrency=1")
                .run(context -> {
                    InboxSubscriptions inbox = context.getBean(InboxSubscriptions.class);
                    MemoryBroker broker = context.getBean(MemoryBroker.class);
                    inbox.stop();
                    IntStream.range(0, 20).forEach(i -> TracedApplication.publish(context, "{}"));
                    await().until(() -> broker.read("ORDERS").size() == 20);
                    inbox.start();

                    assertThat(awaited("process STOCK", 20))
                            .extracting(OtlpSpan::traceId)
                            .doesNotHaveDuplicates();
                    await().untilAsserted(() -> {
                        assertThat(waysTo("look at the shelf")).hasSize(20).allMatch(way -> way.size() == 4);
                        assertThat(waysTo("process STOCK")).allMatch(way -> way.size() == 6);
                    });
                });
    }

    /** The caller's X-Trace-Id names our trace; the traceparent beside it goes on to OpenTelemetry. */
    @Test
    void aTraceIdThatIsNoW3cIdTravelsBesideTheTrace() {
        TracedApplication.sendingTo(receiver).run(context -> {
            publishUnder(context, "00-" + W3C + "-" + CALLER + "-01");
            OtlpSpan last = awaited("process STOCK", 1).get(0);

            assertThat(last.traceId()).isEqualTo(W3C);
            assertThat(last.attributes()).containsEntry("waybill.trace_id", "trace-1");
            assertThat(receiver.named("publish OrderCreated").get(0).parentSpanId())
                    .isEqualTo(CALLER);
        });
    }

    @Test
    void aCollectorThatIsAwayHoldsNothingUp() {
        receiver.close();
        TracedApplication.sendingTo(receiver)
                .withBean( // it would repeat its last export for ten seconds
                        OtlpHttpSpanExporterBuilderCustomizer.class, () -> exporter -> exporter.setRetryPolicy(null))
                .run(context -> {
                    TracedApplication.publish(context, "{}");
                    await().until(() ->
                            context.getBean(MemoryBroker.class).read("STOCK").size() == 1);
                });
    }

    @Test
    void whatTheApplicationsOwnObservationHandlersThrowHoldsNothingUp() {
        TracedApplication.sendingTo(receiver).withBean(Throwing.class).run(context -> {
            TracedApplication.publish(context, "{}");
            await().until(() ->
                    context.getBean(MemoryBroker.class).read("STOCK").size() == 1);
        });
    }

    static class Throwing implements ObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof EventSpanContext;
        }

        @Override
        public void onStart(Observation.Context context) {
            throw new IllegalStateException("no observations here");
        }
    }

    @Test
    void theSpansOfEventsCanBeLeftOutOfATrace() {
        TracedApplication.sendingTo(receiver)
                .withPropertyValues("management.observations.enable.waybill=false")
                .run(context -> {
                    Observation.createNotStarted("request", context.getBean(ObservationRegistry.class))
                            .observe(() -> TracedApplication.publish(context, "{}"));
                    await().until(() ->
                            context.getBean(MemoryBroker.class).read("STOCK").size() == 1);

                    awaited("request", 1);
                    awaited("look at the shelf", 1);
                    assertThat(receiver.spans())
                            .extracting(OtlpSpan::name)
                            .containsExactlyInAnyOrder("request", "look at the shelf");
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

    private List<OtlpSpan> awaited(String name, int many) {
        await().until(() -> receiver.named(name).size() == many);
        return receiver.named(name);
    }

    /** Waits until these spans, with their kinds, are the whole way to the last one: a child may be received before its parent. */
    private void awaitWay(String... spans) {
        String last = spans[spans.length - 1];
        String name = last.substring(0, last.lastIndexOf(' '));
        await().untilAsserted(() -> assertThat(waysTo(name)).singleElement(LIST).containsExactly((Object[]) spans));
    }

    private List<List<String>> waysTo(String name) {
        return receiver.named(name).stream()
                .map(span -> receiver.wayTo(span).stream()
                        .map(each -> each.name() + " " + each.kind())
                        .toList())
                .toList();
    }
}
