package dev.waybill.memory;

import dev.waybill.memory.MemoryOutboxRow.State;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.store.AuditReader;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventState;
import dev.waybill.store.FailedAttempt;
import dev.waybill.store.FoundEvent;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.StoredEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the outbox in memory for people, and what they decided. Every call looks at every row. */
public final class MemoryOutboxReader implements OutboxReader, AuditReader {

    private static final String TABLE = "memory";

    private final MemoryDatabase database;

    /** Reads the rows of these transactions' stores. */
    public MemoryOutboxReader(MemoryTransactions transactions) {
        this.database = transactions.database();
    }

    @Override
    public Set<EventFilter.Field> fields() {
        return EnumSet.allOf(EventFilter.Field.class);
    }

    @Override
    public Page search(EventFilter filter, int limit, @Nullable String after) {
        if (limit < 1 || limit > LARGEST_PAGE) {
            throw new IllegalArgumentException("a page has 1 to " + LARGEST_PAGE + " rows, was " + limit);
        }
        long before = after == null ? Long.MAX_VALUE : Long.parseLong(after);
        List<MemoryOutboxRow> rows = latestFirst(database.outbox.readAll()).stream()
                .filter(row -> row.id() < before && matches(filter, row))
                .limit(limit + 1L)
                .toList();
        List<FoundEvent> found =
                rows.stream().limit(limit).map(MemoryOutboxReader::found).toList();
        String next = rows.size() > limit ? String.valueOf(rows.get(limit - 1).id()) : null;
        return new Page(found, next);
    }

    private static boolean matches(EventFilter filter, MemoryOutboxRow row) {
        FoundEvent found = found(row);
        Destination destination = found.destination();
        Instant created = found.createdAt();
        return equal(filter.eventId(), found.eventId())
                && equal(filter.key(), found.key())
                && equal(filter.traceId(), found.traceId())
                && equal(filter.type(), found.type())
                && equal(filter.topic(), destination == null ? null : destination.topic())
                && equal(filter.tag(), destination == null ? null : destination.tag())
                && (filter.states().isEmpty() || filter.states().contains(found.state()))
                && (filter.from() == null || (created != null && !created.isBefore(filter.from())))
                && (filter.to() == null || (created != null && created.isBefore(filter.to())));
    }

    private static boolean equal(@Nullable String wanted, @Nullable String value) {
        return wanted == null || wanted.equals(value);
    }

    @Override
    public Optional<StoredEvent> find(String rowKey) {
        Long id = database.outboxIds.read(rowKey);
        MemoryOutboxRow row = id == null ? null : database.outbox.read(id);
        return Optional.ofNullable(row)
                .map(stored -> new StoredEvent(
                        found(stored),
                        stored.readable(),
                        stored.state().waits() ? stored.due() : null,
                        stored.sentAt(),
                        stored.brokerId(),
                        stored.error()));
    }

    private static FoundEvent found(MemoryOutboxRow row) {
        Event event = row.readable();
        Instant created = event == null ? null : event.occurredAt();
        return FoundEvent.of(row.eventId(), row.eventId(), event, state(row.state()), row.attempts(), created);
    }

    private static EventState state(State state) {
        return switch (state) {
            case FRESH -> EventState.NEW;
            case RETRYING -> EventState.RETRY;
            case SENT -> EventState.SENT;
            case DEAD -> EventState.DEAD;
        };
    }

    @Override
    public List<FailedAttempt> attempts(String eventId, int limit) {
        return latest(database.attempts.readAll(), attempt -> attempt.eventId().equals(eventId), limit);
    }

    @Override
    public List<FailedAttempt> latestAttempts(int limit) {
        return latest(database.attempts.readAll(), attempt -> true, limit);
    }

    @Override
    public List<AuditRecord> ofEvent(String eventId, int limit) {
        return latest(audit(), record -> record.eventId().equals(eventId), limit);
    }

    @Override
    public List<AuditRecord> latest(int limit, long before) {
        return latest(audit(), record -> record.id() < before, limit);
    }

    /** The records with numbers in the order in which they were written. */
    private List<AuditRecord> audit() {
        List<AuditRecord> records = new ArrayList<>();
        for (MemoryAuditRecord record : database.audit.readAll()) {
            records.add(new AuditRecord(
                    records.size() + 1L,
                    TABLE,
                    orEmpty(record.eventId()),
                    "",
                    record.letterId(),
                    record.action(),
                    record.decision(),
                    null,
                    record.at()));
        }
        return records;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static <T> List<T> latest(List<T> rows, Predicate<T> condition, int limit) {
        return latestFirst(rows).stream().filter(condition).limit(limit).toList();
    }

    private static <T> List<T> latestFirst(List<T> rows) {
        List<T> reversed = new ArrayList<>(rows);
        Collections.reverse(reversed);
        return reversed;
    }
}
