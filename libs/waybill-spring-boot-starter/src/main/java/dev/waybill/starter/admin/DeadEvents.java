package dev.waybill.starter.admin;

import dev.waybill.alert.ErrorGroup;
import dev.waybill.job.Jobs;
import dev.waybill.message.Event;
import dev.waybill.starter.admin.DeadEventController.EventChoice;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.OutboxStore.DeadEvent;
import dev.waybill.store.OutboxStore.DeadSummary;
import dev.waybill.store.StoreException;
import dev.waybill.store.UnreadableRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The DEAD rows of this process's outbox: a list of the oldest with their payloads; grouped and chosen without them. */
final class DeadEvents {

    /** So many can be named. */
    private static final int MOST_IDS = 1_000;

    /** So many are grouped; where there are more, the answer says so. */
    private static final int MOST_GROUPED = 20_000;

    private static final int AT_ONCE = 1_000;

    private static final int LONGEST_ID = 128;

    private final OutboxStore store;
    private final int mostChosen;

    DeadEvents(OutboxStore store) {
        this(store, Jobs.MOST_SUBJECTS);
    }

    DeadEvents(OutboxStore store, int mostChosen) {
        this.store = store;
        this.mostChosen = mostChosen;
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
        Map<List<String>, Long> counts = new LinkedHashMap<>();
        AtomicInteger lookedAt = new AtomicInteger();
        boolean complete = walk(dead -> {
            boolean isOneMore = lookedAt.incrementAndGet() > MOST_GROUPED;
            if (!isOneMore) {
                counts.merge(List.of(dead.type(), ErrorGroup.of(dead.error())), 1L, Long::sum);
            }
            return !isOneMore;
        });
        List<EventGroup> groups = new ArrayList<>();
        counts.forEach((key, count) -> groups.add(new EventGroup(key.get(0), key.get(1), count)));
        groups.sort(Comparator.comparingLong(EventGroup::events).reversed());
        return new Groups(groups, complete);
    }

    /** Asks for each DEAD row whether to go on; returns whether those were all. */
    private boolean walk(Predicate<DeadSummary> goesOn) {
        String after = null;
        while (true) {
            List<DeadSummary> page = store.deadSummaries(AT_ONCE, after);
            for (DeadSummary dead : page) {
                if (!goesOn.test(dead)) {
                    return false;
                }
                after = dead.rowKey();
            }
            if (page.size() < AT_ONCE) {
                return true;
            }
        }
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
            return chosen(choice);
        }
        if (ids.size() > MOST_IDS || ids.stream().anyMatch(id -> !canBeId(id))) {
            throw AdminRefusal.badInput(
                    "ids",
                    "are at most " + MOST_IDS + " texts of 1 to " + LONGEST_ID
                            + " characters without control characters");
        }
        return ids.stream().distinct().toList();
    }

    /** All of them or none: what a job left out without a word would be taken for done. */
    private List<String> chosen(EventChoice choice) {
        Set<String> ids = new LinkedHashSet<>();
        boolean complete = walk(dead -> {
            if (isChosen(choice, dead)) {
                ids.add(dead.eventId());
            }
            return ids.size() <= mostChosen;
        });
        if (!complete) {
            throw AdminRefusal.badInput(
                    "choice", "finds more than " + mostChosen + " DEAD rows: narrow it by eventType or errorGroup");
        }
        return List.copyOf(ids);
    }

    private static boolean canBeId(@Nullable String id) {
        return id != null
                && !id.isBlank()
                && id.length() <= LONGEST_ID
                && id.chars().noneMatch(Character::isISOControl);
    }

    private static boolean isChosen(EventChoice choice, DeadSummary dead) {
        return (choice.eventType() == null || choice.eventType().equals(dead.type()))
                && (choice.errorGroup() == null || choice.errorGroup().equals(ErrorGroup.of(dead.error())));
    }
}
