package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    void anotherTextGetsOneW3cIdForAllItsEvents() {
        String first = TraceParent.of(traced("trace-1"));
        String second = TraceParent.of(traced("trace-1"));

        assertThat(first).matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
        assertThat(TraceParent.parse(first).orElseThrow().traceId())
                .isEqualTo(TraceParent.parse(second).orElseThrow().traceId())
                .isNotEqualTo(TraceParent.w3cTraceId("trace-2"));
        assertThat(first).as("the span is the event's").isNotEqualTo(second);
    }

    /** Pinned: a repeat that another release sends must name the same trace. */
    @ParameterizedTest
    @CsvSource({
        "4bf92f3577b34da6a3ce929d0e0e4736, 4bf92f3577b34da6a3ce929d0e0e4736",
        "4BF92F3577B34DA6A3CE929D0E0E4736, 4bf92f3577b34da6a3ce929d0e0e4736",
        "00000000000000000000000000000000, cd9e459ea708394895c2f5a6ca8838cf",
        "4bf92f3577b34da6a3ce929d0e0e473g, c1750963b8a73380a071e0377d9c3ada",
        "4bf92f3577b34da6a3ce929d0e0e473, a00f0ba340ad3ccf8cbef2be7f3f96df",
        "٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠١, 470c3394d7de3d1aad1a546491dd56f2",
        "trace-1, cb524fe5824537ee80a2f4a26f047019"
    })
    void theSameEventAlwaysHasTheSameTraceparent(String traceId, String w3c) {
        Event event = traced(traceId).toBuilder()
                .eventId("0197a0b2-5d3c-7a41-9c3e-2f6d8b1a4e70")
                .build();

        assertThat(TraceParent.of(event)).isEqualTo("00-" + w3c + "-a1415692ea427273-01");
    }

    @Test
    void anInvalidTraceparentOfAnEventIsIgnored() {
        Event broken = Event.builder("T").header("traceparent", "00-nonsense").build();

        assertThat(TraceParent.of(broken)).isNull();
        assertThat(TraceParent.of(broken.toBuilder().traceId("trace-1").build()))
                .startsWith("00-" + TraceParent.w3cTraceId("trace-1") + "-");
    }

    @Test
    void onlyATraceparentThatSaysNoMoreThanTheTraceIdIsImplied() {
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        Event event = traced(trace);
        Event sampled = with(event, "00-" + trace + "-00f067aa0ba902b7-01");
        Event unsampled = with(event, "00-" + trace + "-00f067aa0ba902b7-00");
        Event other = with(event, "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01");

        assertThat(TraceParent.withoutImplied(sampled)).isEqualTo(event);
        assertThat(TraceParent.withoutImplied(unsampled)).isSameAs(unsampled);
        assertThat(TraceParent.withoutImplied(other)).isSameAs(other);
        assertThat(TraceParent.withoutImplied(event)).isSameAs(event);
    }

    private static Event with(Event event, String traceparent) {
        return event.toBuilder().header("traceparent", traceparent).build();
    }

    @Test
    void aTraceparentOfItsOwnGoesOnUnchangedAndNoTraceMakesNone() {
        String own = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        assertThat(TraceParent.of(
                        traced("trace-1").toBuilder().header("traceparent", own).build()))
                .isEqualTo(own);
        assertThat(TraceParent.of(Event.of("T", "{}"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x"
            })
    void aBrokenTraceparentCountsAsAbsent(String given) {
        assertThat(TraceParent.parse(given)).isEmpty();
    }

    @Test
    void noTraceparentAndAnEndlessOneCountAsAbsent() {
        assertThat(TraceParent.parse(null)).isEmpty();
        assertThat(TraceParent.parse("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-" + "x".repeat(512)))
                .isEmpty();
    }

    @Test
    void laterVersionsAreReadByTheirFirstFieldsAndWrittenAsVersionZero() {
        TraceParent expected = new TraceParent("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "01");

        assertThat(TraceParent.parse("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future"))
                .contains(expected);
        assertThat(expected.header()).isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }

    @Test
    void anotherSpanContinuesTheSameTrace() {
        TraceParent parent = new TraceParent("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", "00");

        assertThat(parent.withSpan("00f067aa0ba902b7"))
                .isEqualTo(new TraceParent("0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7", "00"));
    }

    private static Event traced(String traceId) {
        return Event.builder("T").traceId(traceId).build();
    }
}
