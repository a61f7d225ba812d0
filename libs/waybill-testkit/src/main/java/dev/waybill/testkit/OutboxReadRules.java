package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventFilter.Field;
import dev.waybill.store.EventState;
import dev.waybill.store.FailedAttempt;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Read: people find events and see what happened to one; a table that cannot tell says so. */
interface OutboxReadRules extends OutboxRules {

    OperatorDecision READ_DECISION = new OperatorDecision("ann", "topic is back");

    @Test
    default void anEventIsFoundByEverythingThatTheTableCanTell() {
        List<ClaimedEvent> all = append(null, List.of(searched(1), event(2), event(3)));
        Event wanted = all.get(0).event();
        Map<Field, EventFilter> filters = new EnumMap<>(Field.class);
        filters.put(Field.EVENT_ID, EventFilter.any().withEventId(wanted.eventId()));
        String key = key(wanted);
        filters.put(Field.KEY, EventFilter.any().withKey(key == null ? "SEARCHED1" : key));
        filters.put(Field.TRACE_ID, EventFilter.any().withTraceId("trace-1"));
        filters.put(Field.TYPE, EventFilter.any().withType("OrderPaid"));
        filters.put(Field.TOPIC, EventFilter.any().withTopic("SEARCHED_TOPIC"));
        filters.put(Field.TAG, EventFilter.any().withTag("paid"));
        filters.forEach((field, filter) -> {
            if (reader().fields().contains(field)) {
                assertThat(found(filter)).as("by %s", field).containsExactly(wanted.eventId());
            } else {
                assertThatThrownBy(() -> reader().search(filter, 10, null))
                        .as("by %s", field)
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                refusal -> assertThat(refusal.reason()).isEqualTo(StoreException.Reason.UNSUPPORTED))
                        .hasMessageContaining(field.name());
            }
        });
        assertThat(reader().fields()).contains(Field.STATE, Field.TIME);
    }

    @Test
    default void whatIsNotThereIsNotFound() {
        append(null, List.of(searched(1)));
        for (String odd : List.of("nothing", "' OR '1'='1", "%", "_", "错😀", "\\", "1; DROP TABLE x", "0x31")) {
            for (EventFilter filter : List.of(
                    EventFilter.any().withEventId(odd),
                    EventFilter.any().withKey(odd),
                    EventFilter.any().withTraceId(odd),
                    EventFilter.any().withType(odd),
                    EventFilter.any().withTopic(odd))) {
                if (reader().fields().containsAll(filter.fields())) {
                    assertThat(found(filter)).as("%s", filter).isEmpty();
                }
            }
            assertThat(reader().find(odd)).as(odd).isEmpty();
            assertThat(reader().attempts(odd, 10)).isEmpty();
            assertThat(fixture().auditReader().ofEvent(odd, 10)).isEmpty();
        }
        assertThat(found(EventFilter.any())).hasSize(1);
    }

    @Test
    default void anEventIsFoundByItsState() {
        appendDue(4);
        List<ClaimedEvent> claimed = claim(4);
        store().settle(List.of(
                new Settlement.Sent(claimed.get(0), null),
                new Settlement.Retry(claimed.get(1), Duration.ofMinutes(1), "busy"),
                new Settlement.Dead(claimed.get(2), "gone")));

        Map<EventState, String> expected = Map.of(
                EventState.SENT, claimed.get(0).eventId(),
                EventState.RETRY, claimed.get(1).eventId(),
                EventState.DEAD, claimed.get(2).eventId(),
                EventState.NEW, claimed.get(3).eventId());

        expected.forEach((state, id) -> assertThat(found(EventFilter.any().withStates(Set.of(state))))
                .as("%s", state)
                .containsExactly(id));
        assertThat(found(EventFilter.any().withStates(Set.of(EventState.NEW, EventState.DEAD))))
                .containsExactlyInAnyOrder(expected.get(EventState.NEW), expected.get(EventState.DEAD));
        assertThat(found(EventFilter.any().withStates(Set.of(EventState.OTHER, EventState.DISCARDED))))
                .isEmpty();
        assertThat(reader().search(EventFilter.any(), 10, null).events())
                .allSatisfy(event -> assertThat(expected.get(event.state())).isEqualTo(event.eventId()));
    }

    @Test
    default void anEventIsFoundByTheTimeWhenItWasWritten() {
        appendDue(3);
        Instant now = Instant.now();
        Instant before = now.minus(Duration.ofHours(2));
        Instant after = now.plus(Duration.ofHours(2));

        assertThat(found(EventFilter.any().between(before, after))).hasSize(3);
        assertThat(found(EventFilter.any().between(before, null))).hasSize(3);
        assertThat(found(EventFilter.any().between(null, after))).hasSize(3);
        assertThat(found(EventFilter.any().between(null, before))).isEmpty();
        assertThat(found(EventFilter.any().between(after, null))).isEmpty();
        assertThat(found(EventFilter.any().between(Instant.MIN, Instant.MAX))).hasSize(3);
    }

    @Test
    default void pagesFollowOneAnotherWithoutGapsAndRepeats() {
        List<String> ids = ids(append(null, events(7)));
        List<String> found = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        String after = null;
        do {
            OutboxReader.Page page = reader().search(EventFilter.any().withStates(Set.of(EventState.NEW)), 3, after);
            page.events().forEach(event -> found.add(event.eventId()));
            sizes.add(page.events().size());
            after = page.next();
        } while (after != null);

        assertThat(found).containsExactlyInAnyOrderElementsOf(ids).doesNotHaveDuplicates();
        assertThat(sizes).startsWith(3, 3, 1);
        assertThat(found(EventFilter.any())).as("the same order").isEqualTo(found);
    }

    @Test
    default void aPageIsNeverLargerThanIsGoodForAnybody() {
        assertThatThrownBy(() -> reader().search(EventFilter.any(), OutboxReader.LARGEST_PAGE + 1, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> reader().search(EventFilter.any(), 0, null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void allThatARowSaysIsShown() {
        appendDue(1);
        store().settle(List.of(new Settlement.Retry(claim(1).get(0), Duration.ofMinutes(1), "busy")));
        FoundEvent found = reader().search(EventFilter.any(), 1, null).events().get(0);

        StoredEvent stored = reader().find(found.rowKey()).orElseThrow();

        assertThat(stored.found())
                .usingRecursiveComparison()
                .ignoringFields("type", "key")
                .isEqualTo(found);
        Event event = Objects.requireNonNull(stored.event());
        assertThat(event.type()).isEqualTo("OrderCreated");
        assertThat(event.payload()).contains("ORD0");
        assertThat(stored.error()).isEqualTo("busy");
        assertThat(stored.dueAt()).isBetween(Instant.now(), Instant.now().plusSeconds(90));
        assertThat(stored.sentAt()).isNull();
    }

    @Test
    default void aRowThatIsNoEventIsShownAllTheSame() {
        fixture().insertUnreadable();

        FoundEvent found = reader().search(EventFilter.any(), 10, null).events().get(0);

        assertThat(found.state()).isEqualTo(EventState.NEW);
        assertThat(reader().find(found.rowKey()))
                .hasValueSatisfying(
                        stored -> assertThat(stored.found().rowKey()).isEqualTo(found.rowKey()));
    }

    @Test
    default void everyFailedSendIsRememberedWithWhereAndHowLong() {
        append(null, List.of(event(0)));
        fail("NACKED: first", Duration.ofMillis(120));
        fail("NACKED: second", null);
        fixture().makeDue();
        ClaimedEvent last = claim(1).get(0);
        store().settle(List.of(new Settlement.Dead(last, "NO_ROUTE: third", Duration.ofSeconds(7))));
        Instant now = Instant.now();

        List<FailedAttempt> attempts = reader().attempts(last.eventId(), 10);

        assertThat(attempts).extracting(FailedAttempt::attempt).containsExactly(3, 2, 1);
        assertThat(attempts)
                .extracting(FailedAttempt::error)
                .containsExactly("NO_ROUTE: third", "NACKED: second", "NACKED: first");
        assertThat(attempts)
                .extracting(FailedAttempt::took)
                .containsExactly(Duration.ofSeconds(7), null, Duration.ofMillis(120));
        assertThat(attempts).allSatisfy(attempt -> {
            assertThat(attempt.node()).isNotBlank();
            assertThat(attempt.failedAt()).isBetween(now.minusSeconds(60), now.plusSeconds(60));
        });
        assertThat(reader().latestAttempts(2)).isEqualTo(attempts.subList(0, 2));
    }

    @Test
    default void anAttemptThatIsNoLongerOursIsNotRemembered() {
        append(null, List.of(event(0)));
        ClaimedEvent late = claim(1).get(0);
        claimedByOthers(1);

        store().settle(List.of(new Settlement.Retry(late, Duration.ZERO, "too late")));

        assertThat(reader().latestAttempts(10)).isEmpty();
    }

    @Test
    default void whatAPersonDecidedIsShownLatestFirst() {
        append(null, List.of(event(0)));
        ClaimedEvent claimed = claim(1).get(0);
        store().settle(List.of(new Settlement.Dead(claimed, "gone")));
        store().requeue(List.of(claimed.eventId()), READ_DECISION);
        fixture().makeDue();
        store().settle(List.of(new Settlement.Dead(claim(1).get(0), "gone again")));
        store().discard(List.of(claimed.eventId()), READ_DECISION);

        var decisions = fixture().auditReader().ofEvent(claimed.eventId(), 10);

        assertThat(decisions).extracting(record -> record.action()).containsExactly("DISCARD", "REQUEUE");
        assertThat(decisions).allSatisfy(record -> {
            assertThat(record.decision()).isEqualTo(READ_DECISION);
            assertThat(record.letterId()).isNull();
            assertThat(record.at())
                    .isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(60));
        });
        assertThat(fixture().auditReader().latest(1, Long.MAX_VALUE)).isEqualTo(decisions.subList(0, 1));
        assertThat(fixture().auditReader().latest(10, decisions.get(0).id())).isEqualTo(decisions.subList(1, 2));
    }

    private OutboxReader reader() {
        return fixture().reader();
    }

    private void fail(String error, @Nullable Duration took) {
        fixture().makeDue();
        store().settle(List.of(new Settlement.Retry(claim(1).get(0), Duration.ZERO, error, took)));
    }

    private List<String> found(EventFilter filter) {
        return reader().search(filter, 100, null).events().stream()
                .map(FoundEvent::eventId)
                .collect(Collectors.toList());
    }

    /** What the list shows as the event's key. */
    private @Nullable String key(Event event) {
        return reader().search(EventFilter.any(), 10, null).events().stream()
                .filter(found -> found.eventId().equals(event.eventId()))
                .map(FoundEvent::key)
                .findFirst()
                .orElse(null);
    }

    private Event searched(int number) {
        return Event.builder("OrderPaid")
                .aggregate("Order", String.valueOf(700_000 + number))
                .bizKey("SEARCHED" + number)
                .traceId("trace-" + number)
                .destination(Destination.of("SEARCHED_TOPIC", "paid"))
                .payload("{\"orderNo\":\"ORD" + number + "\"}")
                .build();
    }
}
