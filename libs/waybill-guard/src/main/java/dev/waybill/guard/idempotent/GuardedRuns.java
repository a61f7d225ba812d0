package dev.waybill.guard.idempotent;

import dev.waybill.guard.idempotent.Claim.Claimed;
import dev.waybill.guard.idempotent.Claim.StoredResult;
import dev.waybill.guard.idempotent.Rendering.Rendered;
import dev.waybill.guard.meter.GuardMeter;
import dev.waybill.guard.meter.GuardMetric;
import dev.waybill.guard.store.StoreUnavailableException;
import dev.waybill.guard.web.RenderedData;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a handler under its claim and settles the key: success is stored, anything else frees the key.
 *
 * <p>When the handler returns, its transaction has committed, because that advice is further inside. What goes wrong after that
 * point is logged and counted, but the caller gets the answer of the run that took place.
 */
public final class GuardedRuns {

    /** How long results are kept, and the largest one in bytes. */
    public record Keeping(Duration time, int largest) {}

    private static final Logger log = LoggerFactory.getLogger(GuardedRuns.class);

    private final IdempotencyStore store;
    private final LeaseKeeper leases;
    private final Rendering rendering;
    private final Keeping keeping;
    private final GuardMeter meter;

    public GuardedRuns(IdempotencyStore store, LeaseKeeper leases, JsonMapper json, Keeping keeping, GuardMeter meter) {
        this.store = store;
        this.leases = leases;
        this.rendering = new Rendering(json);
        this.keeping = keeping;
        this.meter = meter;
    }

    private record Run(IdempotentPlan plan, Subject subject, Claimed claim, HttpServletRequest request) {}

    @SuppressWarnings("FutureReturnValueIgnored") // the web layer takes it, as it would the handler's own
    @Nullable Object run(
            MethodInvocation invocation,
            IdempotentPlan plan,
            Subject subject,
            Claimed claim,
            HttpServletRequest request)
            throws Throwable {
        Run run = new Run(plan, subject, claim, request);
        LeaseKeeper.Kept kept = leases.keep(subject, claim, plan.times().lease());
        Object returned;
        try {
            returned = invocation.proceed();
        } catch (Throwable failure) {
            kept.close();
            release(run);
            throw failure;
        }
        if (returned instanceof CompletionStage<?> later) {
            return later.toCompletableFuture().handle((value, failure) -> settleLater(run, kept, value, failure));
        }
        kept.close();
        if (returned instanceof Callable<?> task) {
            // Renewed only while it runs: a task that its executor rejects must not hold the key for long.
            return (Callable<@Nullable Object>) () -> call(run, task);
        }
        settle(run, returned);
        return returned;
    }

    @SuppressWarnings("try") // the scope is there to be closed
    private @Nullable Object call(Run run, Callable<?> task) throws Exception {
        try (LeaseKeeper.Kept ignored =
                leases.keep(run.subject, run.claim, run.plan.times().lease())) {
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
            Run run, LeaseKeeper.Kept kept, @Nullable Object value, @Nullable Throwable failure) {
        kept.close();
        if (failure == null) {
            settle(run, value);
            return value;
        }
        release(run);
        throw failure instanceof java.util.concurrent.CompletionException wrapped
                ? wrapped
                : new java.util.concurrent.CompletionException(failure);
    }

    private void settle(Run run, @Nullable Object value) {
        Rendered rendered = Rendering.takeApart(value, run.plan.declared().status());
        if (!rendered.isSuccess()) {
            release(run);
            return;
        }
        String json;
        try {
            json = rendering.render(rendered.data(), run.plan);
        } catch (RuntimeException unserialisable) {
            release(run);
            throw unserialisable;
        }
        // Half of a surrogate pair is no UTF-8: it becomes a question mark here, for the first caller as for all
        // others.
        byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
        json = new String(utf8, StandardCharsets.UTF_8);
        boolean fits = utf8.length <= keeping.largest();
        StoredResult result = new StoredResult(fits ? json : null, rendered.httpStatus());
        try {
            boolean stored = store.complete(run.subject, run.claim, result, keeping.time());
            settled(run, stored ? "stored" : "lost");
        } catch (StoreUnavailableException down) {
            settled(run, "unknown");
        }
        try {
            new RenderedData(json).leaveOn(run.request);
        } catch (IllegalStateException callerGone) {
            log.debug("[Idempotent] caller gone before the answer");
        }
    }

    private void release(Run run) {
        try {
            settled(run, store.release(run.subject, run.claim) ? "released" : "lost");
        } catch (StoreUnavailableException down) {
            settled(run, "unknown");
        }
    }

    private void settled(Run run, String outcome) {
        meter.count(GuardMetric.IDEMPOTENT_SETTLEMENTS, run.plan.prefix(), outcome);
        if (outcome.equals("lost") || outcome.equals("unknown")) {
            log.warn(
                    "[Idempotent] settled outcome={} prefix={} fence={}",
                    outcome,
                    run.plan.prefix(),
                    run.claim.fence());
        }
    }
}
