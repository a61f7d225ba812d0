package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Content: what was appended is what is claimed; rows of other writers are read, or end as DEAD. */
interface OutboxContentRules extends OutboxRules {

    @Test
    default void aPlainEventComesBack() {
        comesBack(event(1));
    }

    @Test
    default void everyFieldComesBack() {
        comesBack(event(1).toBuilder()
                .traceId("trace-0a.b:c_1")
                .schemaVersion(7)
                .occurredAt(Instant.parse("2026-02-04T10:30:00.123Z"))
                .header("causedBy", "0190-event")
                .header("note", "a \"quoted\" 订单 😀")
                .destination(Destination.of("ORDER_TOPIC", "ORDER_CREATED"))
                .build());
    }

    @Test
    default void anEventWithoutTheOptionalFieldsComesBack() {
        comesBack(Event.builder("OrderCreated")
                .aggregate(null, "900001")
                .payload("{}")
                .build());
    }

    @Test
    default void headersThatUseTheNamesOfFieldsComeBack() {
        comesBack(event(1).toBuilder()
                .traceId("mine")
                .header("traceId", "not mine")
                .header("eventId", "not mine")
                .header("schema_version", "x")
                .header("topic", "t")
                .header("tags", "x")
                .build());
    }

    @Test
    default void aPayloadThatLooksLikeAnEnvelopeStaysAPayload() {
        Event event = event(1);
        String lookalike =
                new String(Envelope.encode(event, BodyFormat.ENVELOPE), java.nio.charset.StandardCharsets.UTF_8);
        comesBack(event.toBuilder().payload(lookalike).build());
    }

    @Test
    default void payloadsComeBackUnchanged() {
        List<String> payloads = List.of(
                "{\"text\":\"订单已创建 ñ ß ∑ 😀👩‍🚀 \\u0041 \\\"q\\\" 'single' \\\\ %s ? : {x} [y] \"}",
                "{ \"b\" : 1 , \"a\" : [ 1, 2.50, {\"deep\":{\"deeper\":[null,true,false,\"\"]}} ] }",
                "[1,\"two\",null]",
                "\"just a text\"",
                "{\"big\":\"" + "数".repeat(10_000) + "y".repeat(30_000) + "\"}");
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < payloads.size(); i++) {
            events.add(event(i).toBuilder().payload(payloads.get(i)).build());
        }
        append(null, events);

        List<ClaimedEvent> claimed = claim(100);
        assertThat(claimed).hasSameSizeAs(payloads);
        for (int i = 0; i < payloads.size(); i++) {
            String told = claimed.get(i).event().payload();
            if (fixture().traits().keepsPayloadText()) {
                assertThat(told).isEqualTo(payloads.get(i));
            }
            assertThat(JsonMeaning.of(told)).isEqualTo(JsonMeaning.of(payloads.get(i)));
        }
    }

    @Test
    default void rowsOfOtherWritersAreRead() {
        OutboxFixture.ForeignRow first = fixture().insertForeign(1);
        OutboxFixture.ForeignRow second = fixture().insertForeign(2);

        List<ClaimedEvent> claimed = claim(10);

        assertThat(claimed).extracting(row -> row.event().type()).containsOnly(first.type());
        assertThat(claimed)
                .extracting(row -> JsonMeaning.of(row.event().payload()))
                .containsExactlyInAnyOrder(JsonMeaning.of(first.payload()), JsonMeaning.of(second.payload()));
        assertThat(claimed.get(0).event().occurredAt())
                .isBetween(
                        Instant.now().minus(Duration.ofMinutes(1)),
                        Instant.now().plus(Duration.ofMinutes(1)));
        assertThat(ids(claimedByOthers(2)))
                .as("every relay gives a row the same id")
                .containsExactlyInAnyOrderElementsOf(ids(claimed));
    }

    @Test
    default void aForeignRowIsSettledLikeAnyOther() {
        fixture().insertForeign(1);
        ClaimedEvent claimed = claim(10).get(0);

        assertThat(store().settle(List.of(new Settlement.Sent(claimed, "b")))).isEqualTo(1);
        assertThat(row(claimed).state()).isEqualTo(OutboxFixture.RowState.SENT);
    }

    @Test
    default void anUnreadableRowDoesNotBlockTheOthersAndCannotBeSent() {
        fixture().insertUnreadable();
        append(null, events(2));

        List<ClaimedRow> claimed = store().claim(MINE, 10, Set.of());
        assertThat(claimed).hasSize(3);
        List<ClaimedRow> unsendable =
                claimed.stream().filter(OutboxContentRules::cannotBeSent).toList();
        assertThat(unsendable).hasSize(1);

        ClaimedRow bad = unsendable.get(0);
        assertThat(store().settle(List.of(new Settlement.Dead(bad, "unserialisable"))))
                .isEqualTo(1);
        assertThat(row(bad).state()).isEqualTo(OutboxFixture.RowState.DEAD);
        assertThat(store().dead(10)).singleElement().satisfies(dead -> {
            assertThat(dead.eventId()).isEqualTo(bad.eventId());
            assertThat(dead.error()).isEqualTo("unserialisable");
        });
    }

    /** A row that cannot be read, or one that reads well and whose payload is no JSON. */
    private static boolean cannotBeSent(ClaimedRow row) {
        if (!(row instanceof ClaimedEvent claimed)) {
            return true;
        }
        try {
            Envelope.encode(claimed.event(), BodyFormat.ENVELOPE);
            return false;
        } catch (MalformedEventException e) {
            return true;
        }
    }

    private void comesBack(Event event) {
        ClaimedEvent appended = append(null, List.of(event)).get(0);
        Event told = claim(10).get(0).event();

        assertThat(Duration.between(told.occurredAt(), event.occurredAt()).abs())
                .isLessThan(Duration.ofSeconds(1));
        assertThat(JsonMeaning.of(told.payload())).isEqualTo(JsonMeaning.of(event.payload()));
        assertThat(told.toBuilder()
                        .occurredAt(event.occurredAt())
                        .payload(event.payload())
                        .build())
                .isEqualTo(appended.event());
    }
}
