package dev.waybill.starter.admin;

import dev.waybill.store.AuditReader;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.StoreException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** Events of the outbox: search, one with its history, errors of all, decisions about all. */
@AdminApi
final class EventController {

    private static final int HISTORY = 100;

    /** Failed sends that are grouped by their errors, latest first. */
    private static final int GROUPED = 1_000;

    private final ObjectProvider<OutboxReader> readers;
    private final ObjectProvider<AuditReader> audits;

    EventController(ObjectProvider<OutboxReader> readers, ObjectProvider<AuditReader> audits) {
        this.readers = readers;
        this.audits = audits;
    }

    @GetMapping("/events")
    Page<EventLine> search(
            @ModelAttribute EventQuery query,
            @RequestParam(required = false) @Nullable String after,
            @RequestParam(defaultValue = "50") int limit) {
        int checked = Page.limit(limit);
        OutboxReader.Page found = readable(() -> search(query, checked, after));
        return new Page<>(found.events().stream().map(EventLine::of).toList(), found.next());
    }

    private OutboxReader.Page search(EventQuery query, int limit, @Nullable String after) {
        try {
            return reader().search(query.toFilter(), limit, after);
        } catch (IllegalArgumentException e) { // a place that no page has given
            throw AdminRefusal.badInput("after", "is not what a page's next said");
        }
    }

    @GetMapping("/events/{id}")
    EventView inspect(@PathVariable String id) {
        OutboxReader reader = reader();
        return readable(() -> reader.find(id))
                .map(stored -> {
                    String eventId = stored.found().eventId();
                    return EventView.of(stored, reader.attempts(eventId, HISTORY), audit().ofEvent(eventId, HISTORY));
                })
                .orElseThrow(() -> new AdminRefusal(AdminError.NOT_FOUND));
    }

    @GetMapping("/errors")
    List<ErrorLine> errors() {
        return ErrorLine.of(reader().latestAttempts(GROUPED));
    }

    @GetMapping("/audit")
    Page<AuditLine> audit(
            @RequestParam(required = false) @Nullable Long after, @RequestParam(defaultValue = "50") int limit) {
        int checked = Page.limit(limit);
        long before = after == null ? Long.MAX_VALUE : after;
        return Page.of(audit().latest(checked + 1, before), checked, AuditReader.AuditRecord::id)
                .map(AuditLine::of);
    }

    private OutboxReader reader() {
        return there(readers);
    }

    private AuditReader audit() {
        return there(audits);
    }

    private static <T> T there(ObjectProvider<T> provider) {
        T bean = provider.getIfUnique();
        if (bean == null) {
            throw new AdminRefusal(
                    AdminError.NOT_HERE, "the outbox of this process is in no table that can be searched");
        }
        return bean;
    }

    /** What the table cannot tell is the caller's mistake. */
    private static <T> T readable(Supplier<T> search) {
        try {
            return search.get();
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.UNSUPPORTED) {
                throw new AdminRefusal(AdminError.BAD_INPUT, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }
}
