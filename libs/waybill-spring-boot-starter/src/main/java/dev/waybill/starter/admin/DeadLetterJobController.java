package dev.waybill.starter.admin;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.job.Jobs;
import dev.waybill.store.OperatorDecision;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Decisions about dead letters, one or many: each is a job. */
@AdminApi
final class DeadLetterJobController {

    private final ConsumedLetters provided;
    private final Supplier<Jobs> jobs;

    DeadLetterJobController(ConsumedLetters provided, Supplier<Jobs> jobs) {
        this.provided = provided;
        this.jobs = jobs;
    }

    /**
     * A decision.
     *
     * @param perSecond letters in a second at most
     * @param olderThanInbox the yes to letters so old that their events may have taken effect without anybody remembering; replays only
     */
    record Decision(
            @Nullable LetterChoice choice,
            @Nullable String reason,
            @Nullable Integer perSecond,
            @Nullable Boolean olderThanInbox,
            @JsonAnySetter @Nullable Map<String, Object> unknown) {

        LetterChoice chosen() {
            if (choice == null || (unknown != null && !unknown.isEmpty())) {
                throw AdminRefusal.badInput(
                        "the request",
                        "has a choice, a reason, perhaps perSecond and olderThanInbox, and nothing else");
            }
            return choice;
        }
    }

    /** Changes nothing, though it is a POST: its choice may be long. */
    @PostMapping("/dead-letters/preview")
    LetterPreview preview(@RequestBody LetterChoice choice) {
        DeadLetters letters = provided.required();
        LetterPreview.Counter counter = new LetterPreview.Counter(letters.memoryBegins());
        choice.each(letters, counter::add);
        return counter.preview();
    }

    @PostMapping("/dead-letters/replay")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobView replay(@RequestBody Decision request, Principal caller) {
        boolean forgotten = Boolean.TRUE.equals(request.olderThanInbox());
        return begin(DeadLetters.REPLAY_JOB, forgotten ? DeadLetters.EVEN_FORGOTTEN : "", request, caller);
    }

    @PostMapping("/dead-letters/discard")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobView discard(@RequestBody Decision request, Principal caller) {
        return begin(DeadLetters.DISCARD_JOB, "", request, caller);
    }

    private JobView begin(String kind, String terms, Decision request, Principal caller) {
        OperatorDecision decision = Decisions.of(caller, request.reason());
        int rate = JobRate.of(request.perSecond());
        List<String> subjects = request.chosen().subjects(provided.required());
        if (subjects.isEmpty()) {
            throw new AdminRefusal(AdminError.NOT_FOUND, "no open letter is chosen");
        }
        return JobView.of(jobs.get().begin(kind, terms, rate, decision, subjects));
    }
}
