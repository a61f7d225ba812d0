package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.message.TraceParent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

class TraceIdGeneratorTest {

    private static final String HEX = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final TraceIdGenerator ids = TraceIdGenerator.seeded(7);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "abc123def456",
                "A-b_c.d:9",
                HEX,
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void lettersDigitsAndFourSignsAreAccepted(String given) {
        assertThat(ids.trace(given, null).traceId()).isEqualTo(given);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\nb",
                "a\r\nX: y",
                "é",
                "😀",
                "a\u0000",
                "${jndi:x}",
                "<b>",
                "a/b",
                "01234567890123456789012345678901234567890123456789012345678901234"
            })
    void everythingElseIsReplaced(String given) {
        assertThat(ids.trace(given, null).traceId()).matches("[0-9a-f]{32}").isNotEqualTo(given);
    }

    @Test
    void aHexTraceIdIsTheW3cTraceId() {
        assertThat(ids.trace(HEX, null).parent().traceId()).isEqualTo(HEX);
        Trace upper = ids.trace(HEX.toUpperCase(java.util.Locale.ROOT), null);
        assertThat(upper.traceId()).isEqualTo(HEX.toUpperCase(java.util.Locale.ROOT));
        assertThat(upper.parent().traceId()).isEqualTo(HEX);
    }

    @Test
    void anotherTextGetsAW3cIdOfItsOwn() {
        Trace trace = ids.trace("order-17", null);
        assertThat(trace.traceId()).isEqualTo("order-17");
        assertThat(TraceParent.parse(trace.parent().header())).contains(trace.parent());
        assertThat(ids.trace("0".repeat(32), null).parent().traceId()).isNotEqualTo("0".repeat(32));
    }

    @Test
    void theSameTextHasTheSameW3cIdInEveryRequest() {
        assertThat(ids.trace("order-17", null).parent().traceId())
                .isEqualTo(ids.trace("order-17", null).parent().traceId())
                .isEqualTo(TraceParent.w3cTraceId("order-17"));
    }

    @Test
    void aCallersUnsampledFlagStays() {
        String unsampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

        Trace trace = ids.trace(HEX, unsampled);

        assertThat(trace.parent().flags()).isEqualTo("00");
        try (TraceContext.Scope scope = TraceContext.open(trace)) {
            assertThat(scope).isNotNull();
            assertThat(MDC.get("traceparent")).isEqualTo(trace.parent().header());
        }
        assertThat(MDC.get("traceparent")).isNull();
    }

    @Test
    void traceparentAloneNamesTheTrace() {
        Trace trace = ids.trace(null, TRACEPARENT);
        assertThat(trace.traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(trace.parent().traceId()).isEqualTo(trace.traceId());
        assertThat(trace.parent().spanId()).isNotEqualTo("b7ad6b7169203331");
    }

    @Test
    void whenBothDisagreeOursNamesTheTraceAndTraceparentIsPassedOn() {
        Trace trace = ids.trace(HEX, TRACEPARENT);
        assertThat(trace.traceId()).isEqualTo(HEX);
        assertThat(trace.parent().traceId()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(trace.parent().flags()).isEqualTo("01");
    }

    @Test
    void aScopePutsBackWhatItFound() {
        MDC.put("kept", "yes");
        try {
            try (TraceContext.Scope outer = TraceContext.open(ids.trace("outer", null))) {
                try (TraceContext.Scope inner = TraceContext.open(ids.trace("inner", null))) {
                    assertThat(inner).isNotSameAs(outer);
                    MDC.put("leftover", "x");
                    assertThat(MDC.get("traceId")).isEqualTo("inner");
                }
                assertThat(MDC.get("traceId")).isEqualTo("outer");
                assertThat(MDC.get("leftover")).isNull();
            }
            assertThat(MDC.getCopyOfContextMap()).containsOnlyKeys("kept");
            assertThat(TraceContext.current()).isEmpty();
        } finally {
            MDC.clear();
        }
    }
}
