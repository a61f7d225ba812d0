package dev.waybill.starter.admin;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.starter.admin.LetterView.Content;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** Dead letters: list and inspect. */
@AdminApi
final class DeadLetterController {

    private final Supplier<@Nullable DeadLetters> provided;

    /** @param provided asked at each request: queues are declared only when the service starts, and not every process consumes */
    DeadLetterController(Supplier<@Nullable DeadLetters> provided) {
        this.provided = provided;
    }

    @GetMapping("/dead-letters")
    Page<LetterView> list(
            @ModelAttribute LetterFilter filter,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "50") int limit) {
        int checked = Page.limit(limit);
        return Page.of(letters().list(filter.toFilter(), checked + 1, after), checked, StoredLetter::id)
                .map(LetterView::of);
    }

    @GetMapping("/dead-letters/{id}")
    Content inspect(@PathVariable long id) {
        return letters().find(id).map(Content::of).orElseThrow(() -> new AdminRefusal(AdminError.NOT_FOUND));
    }

    private DeadLetters letters() {
        DeadLetters letters = provided.get();
        if (letters == null) {
            throw new AdminRefusal(AdminError.NOT_HERE, "this process consumes nothing, so it has no dead letters");
        }
        return letters;
    }
}
