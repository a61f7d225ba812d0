package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "trace-1_2.3:4", "0123456789abcdef0123456789abcdef"})
    void lettersDigitsAndFourSignsMakeATraceId(String text) {
        assertThat(TraceId.isAcceptable(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "a\nb",
                "é",
                "{}",
                "12345678901234567890123456789012345678901234567890123456789012345"
            })
    void anythingElseDoesNot(String text) {
        assertThat(TraceId.isAcceptable(text)).isFalse();
    }

    @Test
    void aTraceIdOf32HexDigitsIsTheW3cTraceId() {
        String traceId = TraceId.next();

        assertThat(TraceParent.of(traced(traceId))).matches("00-" + traceId + "-[0-9a-f]{16}-01");
    }

    @Test
    void anotherTextTravelsBesideAW3cIdOfItsOwnThatStaysTheSame() {
        Event event = traced("trace-1");

        assertThat(TraceParent.of(event))
                .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01")
                .isEqualTo(TraceParent.of(event));
    }

    @Test
    void aTraceparentOfItsOwnGoesOnUnchangedAndNoTraceMakesNone() {
        String own = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        assertThat(TraceParent.of(
                        traced("trace-1").toBuilder().header("traceparent", own).build()))
                .isEqualTo(own);
        assertThat(TraceParent.of(Event.of("T", "{}"))).isNull();
    }

    private static Event traced(String traceId) {
        return Event.builder("T").traceId(traceId).build();
    }
}
