package dev.waybill.starter.admin;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.State;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

/** Dead letters one by one: list, group, inspect, edit. {@link DeadLetterJobController} replays and discards them. */
@AdminApi
final class DeadLetterController {

    private final ConsumedLetters provided;

    DeadLetterController(ConsumedLetters provided) {
        this.provided = provided;
    }

    /** The new body of a letter. */
    record Edit(@Nullable BodyText body, @Nullable String reason) {

        byte[] bytes() {
            if (body == null || body.encoding() == null || body.content() == null) {
                throw AdminRefusal.badInput("body", "has an encoding and a content");
            }
            return body.bytes();
        }
    }

    @GetMapping("/dead-letters")
    Page<LetterSummary> list(
            @ModelAttribute LetterFilter filter,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "50") int limit) {
        int checked = Page.limit(limit);
        return Page.of(letters().summaries(filter.toFilter(), checked + 1, after), checked, LetterSummary::id);
    }

    /** Of the open letters, or of another state's. */
    @GetMapping("/dead-letters/groups")
    LetterGroups.Found groups(@ModelAttribute LetterFilter filter) {
        Filter asked = filter.toFilter();
        return LetterGroups.of(letters(), filter.state() == null ? asked.withState(State.OPEN) : asked);
    }

    @GetMapping("/dead-letters/{id}")
    LetterContent inspect(@PathVariable long id) {
        return known(id);
    }

    /** Only an open letter's. The body that it had is in the audit. */
    @PutMapping("/dead-letters/{id}/body")
    LetterContent edit(@PathVariable long id, @RequestBody Edit request, Principal caller) {
        known(id);
        if (!letters().edit(id, request.bytes(), Decisions.of(caller, request.reason()))) {
            throw new AdminRefusal(AdminError.STATE_INVALID, "it is not open");
        }
        return known(id);
    }

    private LetterContent known(long id) {
        return letters().find(id).map(LetterContent::of).orElseThrow(() -> new AdminRefusal(AdminError.NOT_FOUND));
    }

    private DeadLetters letters() {
        return provided.required();
    }
}
