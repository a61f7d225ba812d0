package dev.waybill.starter.admin;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.waybill.job.Jobs;
import dev.waybill.outbox.DeadEventWorker;
import dev.waybill.store.OperatorDecision;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;

/** DEAD rows of the outbox: the oldest ones, their groups, and jobs that requeue or discard them. */
@AdminApi
final class DeadEventController {

    private final DeadEvents events;
    private final Supplier<Jobs> jobs;

    DeadEventController(DeadEvents events, Supplier<Jobs> jobs) {
        this.events = events;
        this.jobs = jobs;
    }

    /**
     * Which DEAD rows: those that are named, or those of this type and this group of errors.
     *
     * @param all the yes to all of them, where nothing narrows it down
     */
    record EventChoice(
            @Nullable List<String> ids,
            @Nullable String eventType,
            @Nullable String errorGroup,
            @Nullable Boolean all,
            @JsonAnySetter @Nullable Map<String, Object> unknown) {

        boolean isClear() {
            boolean filters = eventType != null || errorGroup != null || Boolean.TRUE.equals(all);
            return (unknown == null || unknown.isEmpty()) && filters == (ids == null);
        }
    }

    /** A decision about them. */
    record EventDecision(
            @Nullable EventChoice choice,
            @Nullable String reason,
            @Nullable Integer perSecond,
            @JsonAnySetter @Nullable Map<String, Object> unknown) {

        EventChoice chosen() {
            if (choice == null || (unknown != null && !unknown.isEmpty()) || !choice.isClear()) {
                throw AdminRefusal.badInput(
                        "the request",
                        "has a choice (ids, or eventType and errorGroup, or all: true), a reason, perhaps perSecond, and"
                                + " nothing else");
            }
            return choice;
        }
    }

    /** The new payload of a DEAD row, and why. */
    record EventEdit(@Nullable String payload, @Nullable String reason) {}

    /** The row that was changed. */
    record EditedEvent(String eventId) {}

    @GetMapping("/dead-events")
    DeadEvents.Oldest list(@RequestParam(defaultValue = "50") int limit) {
        return events.oldest(Page.limit(limit));
    }

    @GetMapping("/dead-events/groups")
    DeadEvents.Groups groups() {
        return events.groups();
    }

    /** Only of a row that can be read. The event as it was is in the audit. */
    @PutMapping("/dead-events/{eventId}/payload")
    EditedEvent edit(@PathVariable String eventId, @RequestBody EventEdit request, Principal caller) {
        String payload = request.payload();
        if (payload == null) {
            throw AdminRefusal.badInput("payload", "is a text of JSON");
        }
        events.edit(eventId, payload, Decisions.of(caller, request.reason()));
        return new EditedEvent(eventId);
    }

    @PostMapping("/dead-events/requeue")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobView requeue(@RequestBody EventDecision request, Principal caller) {
        return begin(DeadEventWorker.REQUEUE_JOB, request, caller);
    }

    @PostMapping("/dead-events/discard")
    @ResponseStatus(HttpStatus.ACCEPTED)
    JobView discard(@RequestBody EventDecision request, Principal caller) {
        return begin(DeadEventWorker.DISCARD_JOB, request, caller);
    }

    private JobView begin(String kind, EventDecision request, Principal caller) {
        OperatorDecision decision = Decisions.of(caller, request.reason());
        int rate = JobRate.of(request.perSecond());
        List<String> subjects = events.subjects(request.chosen());
        if (subjects.isEmpty()) {
            throw new AdminRefusal(AdminError.NOT_FOUND, "no DEAD row is chosen");
        }
        return JobView.of(jobs.get().begin(kind, "", rate, decision, subjects));
    }
}
