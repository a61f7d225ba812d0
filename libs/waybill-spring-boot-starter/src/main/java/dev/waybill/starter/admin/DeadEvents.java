package dev.waybill.starter.admin;

import dev.waybill.alert.ErrorGroup;
import dev.waybill.message.Event;
import dev.waybill.starter.admin.DeadEventController.EventChoice;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.OutboxStore.DeadEvent;
import dev.waybill.store.StoreException;
import dev.waybill.store.UnreadableRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The DEAD rows of this process's outbox, the oldest first. They carry their payloads, so only so many are read at once. */
final class DeadEvents {

    static final int MOST = 1_000;

    private static final int LONGEST_ID = 128;

    private final OutboxStore store;

    DeadEvents(OutboxStore store) {
        this.store = store;
    }

    /** One of them; of a row that cannot be read, what there is. */
    record DeadEventView(
            String eventId,
            String eventType,
            @Nullable String bizKey,
            @Nullable String traceId,
            @Nullable Instant occurredAt,
            int attempts,
            @Nullable String error,
            @Nullable String payload) {

        static DeadEventView of(DeadEvent dead) {
            Event event = dead.event();
            return event == null
                    ? new DeadEventView(
                            dead.eventId(), UnreadableRow.TYPE, null, null, null, dead.attempts(), dead.error(), null)
                    : new DeadEventView(
                            dead.eventId(),
                            event.type(),
                            event.bizKey(),
                            event.traceId(),
                            event.occurredAt(),
                            dead.attempts(),
                            dead.error(),
                            event.payload());
        }
    }

    /** @param complete whether those are all */
    record Oldest(List<DeadEventView> items, boolean complete) {}

    /** Events whose errors differ in numbers and ids only. */
    record EventGroup(String eventType, String errorGroup, long events) {}

    /**
     * Largest first.
     *
     * @param complete whether all DEAD rows were looked at
     */
    record Groups(List<EventGroup> groups, boolean complete) {}

    Oldest oldest(int limit) {
        List<DeadEvent> dead = store.dead(limit + 1);
        return new Oldest(dead.stream().limit(limit).map(DeadEventView::of).toList(), dead.size() <= limit);
    }

    Groups groups() {
        List<DeadEvent> dead = store.dead(MOST + 1);
        Map<List<String>, Long> counts = new LinkedHashMap<>();
        dead.stream()
                .limit(MOST)
                .forEach(event -> counts.merge(List.of(typeOf(event), ErrorGroup.of(event.error())), 1L, Long::sum));
        List<EventGroup> groups = new ArrayList<>();
        counts.forEach((key, count) -> groups.add(new EventGroup(key.get(0), key.get(1), count)));
        groups.sort(Comparator.comparingLong(EventGroup::events).reversed());
        return new Groups(groups, dead.size() <= MOST);
    }

    /** @throws AdminRefusal when no DEAD row that can be read has this id, or the payload is none */
    void edit(String eventId, String payload, OperatorDecision decision) {
        try {
            if (!store.edit(eventId, payload, decision)) {
                throw new AdminRefusal(AdminError.NOT_FOUND, "no DEAD row that can be read has this id");
            }
        } catch (StoreException e) {
            throw e.reason() == StoreException.Reason.VALUE
                    ? AdminRefusal.badInput("payload", "is no JSON, or is too long for its column")
                    : e;
        }
    }

    /** The subjects of a job, each once. */
    List<String> subjects(EventChoice choice) {
        List<String> ids = choice.ids();
        if (ids == null) {
            return store.dead(MOST).stream()
                    .filter(event -> isChosen(choice, event))
                    .map(DeadEvent::eventId)
                    .distinct()
                    .toList();
        }
        if (ids.size() > MOST || ids.stream().anyMatch(id -> !canBeId(id))) {
            throw AdminRefusal.badInput(
                    "ids",
                    "are at most " + MOST + " texts of 1 to " + LONGEST_ID + " characters without control characters");
        }
        return ids.stream().distinct().toList();
    }

    private static boolean canBeId(@Nullable String id) {
        return id != null
                && !id.isBlank()
                && id.length() <= LONGEST_ID
                && id.chars().noneMatch(Character::isISOControl);
    }

    private static boolean isChosen(EventChoice choice, DeadEvent event) {
        return (choice.eventType() == null || choice.eventType().equals(typeOf(event)))
                && (choice.errorGroup() == null || choice.errorGroup().equals(ErrorGroup.of(event.error())));
    }

    private static String typeOf(DeadEvent dead) {
        Event event = dead.event();
        return event == null ? UnreadableRow.TYPE : event.type();
    }
}
