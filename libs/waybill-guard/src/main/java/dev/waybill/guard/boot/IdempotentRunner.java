package dev.waybill.guard.boot;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import dev.waybill.guard.boot.ResultRenderer.RenderedResult;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a handler under its claim and settles the key: success is stored, anything else frees the key.
 *
 * <p>When the handler returns, its transaction has committed, because that advice is further inside. A failure of the store
 * after that point is logged and counted, and the caller still gets the answer of the run.
 */
final class IdempotentRunner {

    /** How long results are kept, and the largest one in bytes. */
    record ResultRetention(Duration time, int maxBytes) {}

    private static final Logger log = LoggerFactory.getLogger(IdempotentRunner.class);

    private final IdempotencyStore store;
    private final KeyLeaseRenewer leases;
    private final ResultRenderer rendering;
    private final ResultRetention retention;
    private final StoreAvailability availability;
    private final GuardMeter meter;

    IdempotentRunner(
            IdempotencyStore store,
            KeyLeaseRenewer leases,
            JsonMapper json,
            ResultRetention retention,
            StoreAvailability availability,
            GuardMeter meter) {
        this.store = store;
        this.leases = leases;
        this.rendering = new ResultRenderer(json);
        this.retention = retention;
        this.availability = availability;
        this.meter = meter;
    }

    private record ClaimedRun(IdempotentPlan plan, KeyedRequest keyed, Claimed claim, HttpServletRequest request) {}

    @SuppressWarnings("FutureReturnValueIgnored") // the web layer takes it, as it would the handler's own
    @Nullable Object run(
            MethodInvocation invocation,
            IdempotentPlan plan,
            KeyedRequest keyed,
            Claimed claim,
            HttpServletRequest request)
            throws Throwable {
        ClaimedRun run = new ClaimedRun(plan, keyed, claim, request);
        KeyLeaseRenewer.RenewedLease lease =
                leases.renew(keyed, claim, plan.times().lease());
        Object returned;
        try {
            returned = invocation.proceed();
        } catch (Throwable failure) {
            lease.close();
            release(run);
            throw failure;
        }
        if (returned instanceof CompletionStage<?> later) {
            return later.toCompletableFuture().handle((value, failure) -> settleLater(run, lease, value, failure));
        }
        lease.close();
        if (returned instanceof Callable<?> task) {
            // The lease is renewed only while the task runs: a task that its executor rejects must not hold the key for
            // long.
            return (Callable<@Nullable Object>) () -> call(run, task);
        }
        settle(run, returned);
        return returned;
    }

    @SuppressWarnings("try") // the scope is there to be closed
    private @Nullable Object call(ClaimedRun run, Callable<?> task) throws Exception {
        try (KeyLeaseRenewer.RenewedLease ignored =
                leases.renew(run.keyed, run.claim, run.plan.times().lease())) {
            Object value;
            try {
                value = task.call();
            } catch (Throwable failure) {
                release(run);
                throw failure;
            }
            settle(run, value);
            return value;
        }
    }

    private @Nullable Object settleLater(
            ClaimedRun run, KeyLeaseRenewer.RenewedLease lease, @Nullable Object value, @Nullable Throwable failure) {
        lease.close();
        if (failure == null) {
            settle(run, value);
            return value;
        }
        release(run);
        throw failure instanceof CompletionException wrapped ? wrapped : new CompletionException(failure);
    }

    private void complete(ClaimedRun run, StoredResult result) {
        try {
            boolean stored = store.complete(run.keyed, run.claim, result, retention.time());
            settled(run, stored ? "stored" : "lost");
        } catch (StoreUnavailableException down) {
            unsettled(run, down);
        }
    }

    private void settle(ClaimedRun run, @Nullable Object value) {
        RenderedResult rendered =
                ResultRenderer.takeApart(value, run.plan.declared().status());
        if (!rendered.isSuccess()) {
            release(run);
            return;
        }
        RenderedAnswer answer;
        try {
            answer = rendering.answer(rendered, run.plan);
        } catch (RuntimeException unserialisable) {
            // The deed is done: a repeat must not do it again, though there is no answer to give.
            complete(run, new StoredResult(null, rendered.httpStatus()));
            throw unserialisable;
        }
        boolean fits = answer.json().getBytes(StandardCharsets.UTF_8).length <= retention.maxBytes();
        StoredResult result = new StoredResult(answer.json(), rendered.httpStatus(), answer.code(), answer.message());
        complete(run, fits ? result : result.withoutData());
        try {
            answer.attachTo(run.request);
        } catch (IllegalStateException callerGone) {
            log.debug("[Idempotent] caller gone before the answer");
        }
    }

    private void release(ClaimedRun run) {
        try {
            settled(run, store.release(run.keyed, run.claim) ? "released" : "lost");
        } catch (StoreUnavailableException down) {
            unsettled(run, down);
        }
    }

    /** One line for the outage, not one for every run that it caught: those are counted. */
    private void unsettled(ClaimedRun run, StoreUnavailableException down) {
        availability.down(down, run.plan.prefix(), "UNSETTLED");
        meter.count(GuardMetric.IDEMPOTENT_SETTLEMENTS, run.plan.prefix(), "unknown");
        log.debug("[Idempotent] settled outcome=unknown prefix={} fence={}", run.plan.prefix(), run.claim.fence());
    }

    private void settled(ClaimedRun run, String outcome) {
        availability.up();
        meter.count(GuardMetric.IDEMPOTENT_SETTLEMENTS, run.plan.prefix(), outcome);
        if (outcome.equals("lost")) {
            log.warn("[Idempotent] settled outcome=lost prefix={} fence={}", run.plan.prefix(), run.claim.fence());
        }
    }
}
