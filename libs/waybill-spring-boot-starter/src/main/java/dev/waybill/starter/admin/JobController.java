package dev.waybill.starter.admin;

import dev.waybill.store.JobStore;
import dev.waybill.store.JobStore.RefusedItem;
import dev.waybill.store.JobStore.StoredJob;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;

/** Jobs: how far they have come, what they could not do, and their end. */
@AdminApi
final class JobController {

    private final JobStore jobs;
    private final String scope;

    /** @param scope the application: it neither shows nor cancels those of another one in the same database */
    JobController(JobStore jobs, String scope) {
        this.jobs = jobs;
        this.scope = scope;
    }

    /** Why a job is stopped. */
    record Cancel(@Nullable String reason) {}

    /** Latest first. */
    @GetMapping("/jobs")
    Page<JobView> list(
            @RequestParam(defaultValue = "9223372036854775807") long after,
            @RequestParam(defaultValue = "50") int limit) {
        int checked = Page.limit(limit);
        return Page.of(jobs.list(scope, after, checked + 1), checked, StoredJob::id)
                .map(JobView::of);
    }

    @GetMapping("/jobs/{id}")
    JobView inspect(@PathVariable long id) {
        return JobView.of(known(id));
    }

    @GetMapping("/jobs/{id}/refused")
    Page<RefusedItem> refused(
            @PathVariable long id,
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "50") int limit) {
        int checked = Page.limit(limit);
        return Page.of(jobs.refused(known(id).id(), after, checked + 1), checked, RefusedItem::number);
    }

    /** What is done stays done. */
    @PostMapping("/jobs/{id}/cancel")
    JobView cancel(@PathVariable long id, @RequestBody Cancel request, Principal caller) {
        if (!jobs.cancel(known(id).id(), Decisions.of(caller, request.reason()))) {
            throw new AdminRefusal(AdminError.STATE_INVALID, "it has ended already");
        }
        return JobView.of(known(id));
    }

    private StoredJob known(long id) {
        return jobs.find(id)
                .filter(job -> job.asked().scope().equals(scope))
                .orElseThrow(() -> new AdminRefusal(AdminError.NOT_FOUND));
    }
}
