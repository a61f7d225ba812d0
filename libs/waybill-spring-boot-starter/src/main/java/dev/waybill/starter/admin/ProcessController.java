package dev.waybill.starter.admin;

import dev.waybill.starter.admin.ProcessView.ConsumerLine;
import dev.waybill.starter.admin.ProcessView.Overview;
import dev.waybill.starter.admin.ProcessView.RelayState;
import dev.waybill.store.AlertStore.StoredAlert;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

/** What the application does: overview, relay, consumers, alerts; and what of it a person pauses and resumes, in all replicas. */
@AdminApi
final class ProcessController {

    private final ProcessParts parts;
    private final PauseWatcher pauses;

    ProcessController(ProcessParts parts, PauseWatcher pauses) {
        this.parts = parts;
        this.pauses = pauses;
    }

    /** Why. */
    record Reason(@Nullable String reason) {}

    /** Which subscription, and why. */
    record ConsumerReason(
            @Nullable String source,
            @Nullable String group,
            @Nullable String reason) {}

    /** An alert that is raised, or was. */
    record AlertLine(
            String alert,
            String rule,
            int step,
            String detail,
            Instant raisedAt,
            @Nullable Instant clearedAt) {

        static AlertLine of(StoredAlert alert) {
            return new AlertLine(
                    alert.condition().key(),
                    alert.condition().rule(),
                    alert.condition().step(),
                    alert.condition().detail(),
                    alert.raisedAt(),
                    alert.clearedAt());
        }
    }

    @GetMapping("/overview")
    Overview overview() {
        return parts.overview(pauses.paused());
    }

    @GetMapping("/consumers")
    List<ConsumerLine> consumers() {
        return parts.consumers(pauses.paused());
    }

    @GetMapping("/relay")
    RelayState relay() {
        return parts.relay(pauses.paused());
    }

    @GetMapping("/alerts")
    List<AlertLine> alerts(@RequestParam(defaultValue = "50") int limit) {
        return parts.alerts(Page.limit(limit)).stream().map(AlertLine::of).toList();
    }

    @PostMapping("/relay/pause")
    RelayState pauseRelay(@RequestBody Reason why, Principal caller) {
        return changed(pauses.pause(PausablePart.RELAY, Decisions.of(caller, why.reason())), "it is paused already");
    }

    @PostMapping("/relay/resume")
    RelayState resumeRelay(@RequestBody Reason why, Principal caller) {
        return changed(pauses.resume(PausablePart.RELAY, Decisions.of(caller, why.reason())), "it is not paused");
    }

    private RelayState changed(boolean changed, String otherwise) {
        check(changed, otherwise);
        return relay();
    }

    @PostMapping("/consumers/pause")
    List<ConsumerLine> pauseConsumer(@RequestBody ConsumerReason which, Principal caller) {
        String part = consumer(which);
        check(pauses.pause(part, Decisions.of(caller, which.reason())), "it is paused already");
        return consumers();
    }

    @PostMapping("/consumers/resume")
    List<ConsumerLine> resumeConsumer(@RequestBody ConsumerReason which, Principal caller) {
        String part = consumer(which);
        check(pauses.resume(part, Decisions.of(caller, which.reason())), "it is not paused");
        return consumers();
    }

    private String consumer(ConsumerReason which) {
        String part = PausablePart.consumer(String.valueOf(which.source()), String.valueOf(which.group()));
        boolean known = parts.specs().stream()
                .anyMatch(spec ->
                        PausablePart.consumer(spec.source(), spec.group()).equals(part));
        if (!known) {
            throw new AdminRefusal(AdminError.NOT_FOUND, "no subscription here has that source and that group");
        }
        return part;
    }

    private static void check(boolean changed, String otherwise) {
        if (!changed) {
            throw new AdminRefusal(AdminError.STATE_INVALID, otherwise);
        }
    }
}
