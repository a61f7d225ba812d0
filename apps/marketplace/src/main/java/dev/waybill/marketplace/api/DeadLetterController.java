package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.ReplayReport;
import dev.waybill.inbox.ReplayRequest;
import dev.waybill.marketplace.domain.Validation;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Dead letters over HTTP: list, inspect, replay. A replay reaches only the queue in which the letter failed, and is audited. */
@OperatorOnly
@SecurityRequirement(name = OpenApiConfiguration.OPERATOR)
@Tag(name = "Dead letters")
@RestController
@RequestMapping("/dead-letters")
class DeadLetterController {

    private static final int MOST = 500;

    private final ObjectProvider<DeadLetters> provided;
    private final ReplayRequest request;

    /** The letters are looked up at the first request: their queues are declared only when the service starts. */
    DeadLetterController(ObjectProvider<DeadLetters> provided, OperatorSettings operator) {
        this.provided = provided;
        this.request = ReplayRequest.by(operator.name(), "POST /dead-letters");
    }

    /**
     * A page of letters.
     *
     * @param total of all pages
     */
    record Page(List<Letter> letters, long total) {}

    /** One letter with its headers and body. */
    record Content(Letter letter, Map<String, String> headers, String body) {}

    /** Which letters to replay: these, or all that are open. */
    record Choice(@Nullable List<Long> ids) {}

    /** What came of a replay. */
    record Replayed(List<Long> replayed, Map<Long, String> refused) {}

    @Operation(summary = "Dead letters, open ones by default")
    @GetMapping
    Answer<Page> list(
            @RequestParam(defaultValue = "OPEN") State state,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "50") int size) {
        Validation.within("size", size, 1, MOST);
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
    Answer<Letter> replay(@PathVariable String id) throws InterruptedException {
        StoredLetter stored = known(id);
        if (stored.state() != State.OPEN) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        ReplayReport report = letters().replay(List.of(stored.id()), request);
        if (report.brokerGone()) {
            throw new RefusedException(Code.DEPENDENCY_DOWN);
        }
        if (!report.replayed().contains(stored.id())) {
            throw new RefusedException(Code.STATE_INVALID);
        }
        return Answer.ok(Letter.of(known(id)));
    }

    /** Many at once: those that are named, or without a body every open one. */
    @Operation(summary = "Replays those that are named, or every open one")
    @PostMapping("/replay")
    Answer<Replayed> replayMany(@RequestBody(required = false) @Nullable Choice choice) throws InterruptedException {
        List<Long> ids = choice == null ? null : choice.ids();
        if (ids != null) {
            Validation.within("ids", ids.size(), 1, MOST);
            Validation.require(ids.stream().allMatch(id -> id != null && id > 0), "ids", "numbers above 0");
        }
        ReplayReport report = ids == null
                ? letters().replay(Filter.any(), request)
                : letters().replay(ids, request);
        if (report.brokerGone() && report.replayed().isEmpty()) {
            throw new RefusedException(Code.DEPENDENCY_DOWN);
        }
        return Answer.ok(new Replayed(report.replayed(), report.refused()));
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
