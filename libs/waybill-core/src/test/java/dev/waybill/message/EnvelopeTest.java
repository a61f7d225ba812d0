package dev.waybill.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {

    private static final String PAYLOAD =
            "{ \"orderNo\":\"ORD1\", \"amount\":88.50,\"名\":\"茶 🍵\",\"a\":[1,{\"b\":null}] }";

    private final Event event = Event.builder("OrderCreated")
            .eventId("0190-1")
            .aggregate("Order", "900001")
            .bizKey("ORD1")
            .schemaVersion(2)
            .occurredAt(Instant.parse("2026-02-04T10:30:00.123Z"))
            .traceId("trace-1")
            .header("causationId", "0190-0")
            .header("quote", "\"\n")
            .payload(PAYLOAD)
            .build();

    @Test
    void everyFieldComesBackAndThePayloadKeepsItsLetters() {
        assertThat(Envelope.decode(Envelope.encode(event, BodyFormat.ENVELOPE))).isEqualTo(event);
    }

    @Test
    void anEventWithNothingButATypeComesBackToo() {
        Event bare = Event.of("Ping", "null");

        assertThat(Envelope.decode(Envelope.encode(bare, BodyFormat.ENVELOPE))).isEqualTo(bare);
    }

    @Test
    void theEnvelopeHasTheTenNamedFieldsInOrder() {
        assertThat(text(BodyFormat.ENVELOPE))
                .isEqualTo("{\"eventId\":\"0190-1\",\"eventType\":\"OrderCreated\",\"aggregateType\":\"Order\","
                        + "\"aggregateId\":\"900001\",\"bizKey\":\"ORD1\",\"schemaVersion\":2,"
                        + "\"occurredAt\":\"2026-02-04T10:30:00.123Z\",\"traceId\":\"trace-1\","
                        + "\"headers\":{\"causationId\":\"0190-0\",\"quote\":\"\\\"\\n\"},\"payload\":" + PAYLOAD
                        + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-04T10:30:00Z",
                "2026-02-04T10:30:00.100Z",
                "2026-02-04T10:30:00.123Z",
                "0001-01-01T00:00:00Z",
                "0000-12-31T23:59:59.999Z",
                "0000-01-01T00:00:00Z",
                "-0001-12-31T23:59:59.999Z",
                "-12345-06-07T08:09:10.011Z",
                "9999-12-31T23:59:59.999Z",
                "+10000-01-01T00:00:00Z",
                "+123456-07-08T09:10:11.120Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999Z",
                "1969-12-31T23:59:59.001Z",
                "1900-02-28T23:59:59.999Z",
                "2000-02-29T23:59:59.999Z",
                "2024-12-31T23:59:59.999Z",
                "2100-03-01T23:59:59.999Z"
            })
    void aTimeIsWrittenInUtcWithThreeDigitsOfAFractionOrNone(String time) {
        Event timed = event.toBuilder().occurredAt(Instant.parse(time)).build();

        assertThat(new String(Envelope.encode(timed, BodyFormat.ENVELOPE), StandardCharsets.UTF_8))
                .contains("\"occurredAt\":\"" + time + "\"");
    }

    @Test
    void theSevenFieldFormHasSevenFieldsAndANumberAsAggregateId() {
        assertThat(text(BodyFormat.SEVEN_FIELDS))
                .isEqualTo("{\"eventId\":\"0190-1\",\"eventType\":\"OrderCreated\",\"aggregateType\":\"Order\","
                        + "\"aggregateId\":900001,\"occurredAt\":\"2026-02-04T10:30:00.123Z\","
                        + "\"traceId\":\"trace-1\",\"payload\":" + PAYLOAD + "}");
    }

    @Test
    void theSevenFieldFormNeedsANumericAggregateId() {
        Event textual = event.toBuilder().aggregate("Order", "ORD1").build();

        assertThatThrownBy(() -> Envelope.encode(textual, BodyFormat.SEVEN_FIELDS))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("ORD1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "{", "{\"a\":1}}", "{\"a\":1} {}", "oops", "{'a':1}", "{\"a\":01}"})
    void aPayloadThatIsNotOneJsonValueIsRefused(String payload) {
        Event broken = event.toBuilder().payload(payload).build();

        assertThatThrownBy(() -> Envelope.encode(broken, BodyFormat.ENVELOPE))
                .isInstanceOf(MalformedEventException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{}",
                "{\"eventId\":\"1\"}",
                "{\"eventId\":\"1\",\"eventType\":\"T\",\"occurredAt\":\"yesterday\",\"payload\":{}}",
                "{\"eventId\":\"1\",\"eventType\":\"T\",\"occurredAt\":\"2026-02-04T10:30:00Z\"}",
                "{\"eventId\":\"\",\"eventType\":\"T\",\"occurredAt\":\"2026-02-04T10:30:00Z\",\"payload\":1}",
                "{\"eventId\":\"1\",\"eventType\":\"T\",\"schemaVersion\":\"x\","
                        + "\"occurredAt\":\"2026-02-04T10:30:00Z\",\"payload\":1}",
                "{\"eventId\":\"1\",\"eventType\":\"T\",\"occurredAt\":\"2026-02-04T10:30:00Z\",\"payload\":1} x"
            })
    void whatIsNoEnvelopeIsMalformedAndNothingElse(String text) {
        assertThatThrownBy(() -> Envelope.decode(text)).isInstanceOf(MalformedEventException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"eventId\":\"1\",\"eventId\":\"2\",\"eventType\":\"T\",\"occurredAt\":\"2026-02-04T10:30:00Z\",\"payload\":1}",
                "{\"eventId\":\"1\",\"eventType\":\"T\",\"occurredAt\":\"2026-02-04T10:30:00Z\",\"payload\":1,\"payload\":2}",
                "{\"eventId\":\"1\",\"eventType\":\"T\",\"occurredAt\":\"2026-02-04T10:30:00Z\",\"payload\":1,"
                        + "\"headers\":{\"a\":\"1\",\"a\":\"2\"}}"
            })
    void aFieldThatIsThereTwiceIsMalformed(String text) {
        assertThatThrownBy(() -> Envelope.decode(text))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("is there twice");
    }

    @Test
    void bytesThatAreNoUtf8AreMalformedAndAReplacementCharacterThatWasSentIsNot() {
        Event replaced = event.toBuilder().payload("\"\uFFFD\"").build();
        byte[] good = Envelope.encode(replaced, BodyFormat.ENVELOPE);
        byte[] broken = new String(good, StandardCharsets.UTF_8)
                .replace('\uFFFD', '\u00FF')
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThat(Envelope.decode(good)).isEqualTo(replaced);
        assertThatThrownBy(() -> Envelope.decode(broken))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining("not UTF-8");
    }

    @Test
    void fieldsOfANewerWriterAreIgnored() {
        String newer = "{\"new\":{\"payload\":1},\"eventId\":\"1\",\"eventType\":\"T\",\"more\":[1,2],"
                + "\"occurredAt\":\"2026-02-04T10:30:00Z\",\"payload\":\"text\"}";

        assertThat(Envelope.decode(newer).payload()).isEqualTo("\"text\"");
    }

    private String text(BodyFormat format) {
        return new String(Envelope.encode(event, format), StandardCharsets.UTF_8);
    }
}
