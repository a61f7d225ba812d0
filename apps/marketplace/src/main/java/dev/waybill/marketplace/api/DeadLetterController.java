package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.ReplayReport;
import dev.waybill.inbox.ReplayRequest;
import dev.waybill.servicekit.Caller;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The two paths that the marketplace always had. What else an operator decides about dead letters is Waybill's admin API, under
 * {@code /waybill/api}.
 */
@Tag(name = "Dead letters")
@RestController
@RequestMapping("/dead-letters")
class DeadLetterController {

    private static final int MOST = 500;

    private final ObjectProvider<DeadLetters> provided;

    /** The letters are looked up at the first request: their queues are declared only when the service starts. */
    DeadLetterController(ObjectProvider<DeadLetters> provided) {
        this.provided = provided;
    }

    /**
     * A page of letters.
     *
     * @param total of all pages
     */
    record Page(List<Letter> letters, long total) {}

    @Operation(summary = "Dead letters, open ones by default")
    @GetMapping
    Answer<Page> list(
            @RequestParam(defaultValue = "OPEN") State state,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "50") @Min(1) @Max(MOST) int size) {
        Filter filter = Filter.any().withState(state);
        return Answer.ok(new Page(
                letters().summaries(filter, size, after).stream()
                        .map(Letter::of)
                        .toList(),
                letters().count(filter)));
    }

    @Operation(summary = "Sends a letter back to the queue in which it failed")
    @PostMapping("/{id}/replay")
    ResponseEntity<? extends Answer<?>> replay(
            @PathVariable String id, @RequestParam(defaultValue = "no") boolean olderThanInbox, Caller caller)
            throws InterruptedException {
        long known = known(id).id();
        ReplayReport report = letters().replay(List.of(known), request(caller, olderThanInbox));
        if (report.brokerGone()) {
            throw new RefusedException(Code.DEPENDENCY_DOWN);
        }
        return report.replayed().contains(known)
                ? ResponseEntity.ok(Answer.ok(Letter.of(LetterSummary.of(known(id)))))
                : ResponseEntity.status(Code.STATE_INVALID.status())
                        .body(Answer.of(Code.STATE_INVALID, Map.of("refused", report.refused())));
    }

    private static ReplayRequest request(Caller caller, boolean olderThanInbox) {
        ReplayRequest request = ReplayRequest.by(actor(caller), "POST /dead-letters");
        return olderThanInbox ? request.withForgotten() : request;
    }

    private static String actor(Caller caller) {
        return caller.userId() == null ? "operator" : "operator " + caller.userId();
    }

    /** There are none in a process that does not consume. */
    private DeadLetters letters() {
        DeadLetters letters = provided.getIfAvailable();
        if (letters == null) {
            throw new RefusedException(Code.NOT_FOUND);
        }
        return letters;
    }

    private StoredLetter known(String id) {
        return letters().find(Ids.read(id)).orElseThrow(() -> new RefusedException(Code.NOT_FOUND));
    }
}
