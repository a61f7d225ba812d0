package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.ReplayReport;
import dev.waybill.inbox.ReplayRequest;
import dev.waybill.servicekit.Caller;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Dead letters over HTTP, for operators: list, inspect, replay, discard. A replay reaches only the queue in which the letter
 * failed. Every decision is audited.
 */
@Tag(name = "Dead letters")
@RestController
@RequestMapping("/dead-letters")
class DeadLetterController {

    private static final int MOST = 500;
    private static final Filter OPEN = Filter.any().withState(State.OPEN);

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

    /** One letter with its headers and body. */
    record Content(Letter letter, Map<String, String> headers, String body) {}

    /** Which letters to replay; those that are open, where none are named. */
    record Choice(@Nullable @Size(min = 1, max = MOST) List<@NotNull @Positive Long> ids) {}

    /** Why a letter is given up, for the audit. */
    record Discard(@NotBlank @Size(max = 512) String reason) {}

    /**
     * What came of a replay.
     *
     * @param refused which letters stayed, and why
     * @param more whether open letters are left behind the last one
     * @param after where the next call goes on
     */
    record Replayed(List<Long> replayed, Map<Long, String> refused, boolean more, long after) {}

    @Operation(summary = "Dead letters, open ones by default")
    @GetMapping
    Answer<Page> list(
            @RequestParam(defaultValue = "OPEN") State state,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "50") @Min(1) @Max(MOST) int size) {
        Filter filter = Filter.any().withState(state);
        return Answer.ok(new Page(
                letters().list(filter, size, after).stream().map(Letter::of).toList(),
                letters().count(filter)));
    }

    @Operation(summary = "A dead letter with headers and body")
    @GetMapping("/{id}")
    Answer<Content> inspect(@PathVariable String id) {
        StoredLetter stored = known(id);
        return Answer.ok(new Content(
                Letter.of(stored),
                stored.letter().headers(),
                new String(stored.letter().body(), StandardCharsets.UTF_8)));
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
                ? ResponseEntity.ok(Answer.ok(Letter.of(known(id))))
                : ResponseEntity.status(Code.STATE_INVALID.status())
                        .body(Answer.of(Code.STATE_INVALID, Map.of("refused", report.refused())));
    }

    /** Many at once: those that are named, or some of the open ones. The caller asks again while there are more. */
    @Operation(summary = "Replays those that are named, or open ones, a bounded number of them")
    @PostMapping("/replay")
    Answer<Replayed> replayMany(
            @Valid @RequestBody(required = false) @Nullable Choice choice,
            @RequestParam(defaultValue = "0") @PositiveOrZero long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(MOST) int size,
            @RequestParam(defaultValue = "no") boolean olderThanInbox,
            Caller caller)
            throws InterruptedException {
        List<Long> ids = choice == null ? null : choice.ids();
        ReplayRequest request = request(caller, olderThanInbox);
        ReplayReport report = ids == null
                ? letters().replay(OPEN, after, size, request)
                : letters().replay(ids, request);
        if (report.brokerGone() && report.replayed().isEmpty()) {
            throw new RefusedException(Code.DEPENDENCY_DOWN);
        }
        boolean more = ids == null && !letters().list(OPEN, 1, report.lastId()).isEmpty();
        return Answer.ok(new Replayed(report.replayed(), report.refused(), more, report.lastId()));
    }

    @Operation(summary = "Gives a letter up; it is not replayed any more")
    @PostMapping("/{id}/discard")
    Answer<Letter> discard(@PathVariable String id, @Valid @RequestBody Discard request, Caller caller) {
        long known = known(id).id();
        if (letters().discard(List.of(known), new OperatorDecision(actor(caller), request.reason())) == 0) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        return Answer.ok(Letter.of(known(id)));
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
