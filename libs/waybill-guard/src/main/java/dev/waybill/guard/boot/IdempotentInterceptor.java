package dev.waybill.guard.boot;

import dev.waybill.guard.boot.KeyClaim.Claimed;
import dev.waybill.guard.boot.KeyClaim.StoredResult;
import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.idempotent.Idempotent.WhenDown;
import dev.waybill.guard.trace.TraceContext;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** The aspect of {@link Idempotent}, inside of the rate limit and around the transaction: claim, run, settle. */
final class IdempotentInterceptor implements MethodInterceptor {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final IdempotencyStore store;
    private final IdempotentPlans plans;
    private final IdempotentRunner runs;
    private final RequestFingerprints fingerprints;
    private final StoreAvailability availability;
    private final GuardMeter meter;

    IdempotentInterceptor(
            IdempotencyStore store,
            IdempotentPlans plans,
            IdempotentRunner runs,
            RequestFingerprints fingerprints,
            StoreAvailability availability,
            GuardMeter meter) {
        this.store = store;
        this.plans = plans;
        this.runs = runs;
        this.fingerprints = fingerprints;
        this.availability = availability;
        this.meter = meter;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        HandlerCall call = HandlerCall.of(invocation);
        HttpServletRequest request = call.request();
        if (request == null) {
            throw new IllegalStateException(call.method() + " is idempotent per request, and there is no request");
        }
        IdempotentPlan plan = plans.of(call.owner(), call.method());
        KeyedRequest keyed = keyed(plan, request, invocation.getArguments());
        KeyClaim claim;
        try {
            claim = claim(keyed, plan);
            availability.up();
        } catch (StoreUnavailableException down) {
            availability.down(down, plan.prefix(), plan.whenDown().name());
            if (plan.whenDown() == WhenDown.FAIL) {
                throw refusal(plan, Code.DEPENDENCY_DOWN, "unavailable");
            }
            count(plan, "unguarded");
            return invocation.proceed();
        }
        if (claim instanceof Claimed claimed) {
            count(plan, "first");
            return runs.run(invocation, plan, keyed, claimed, request);
        }
        if (claim instanceof KeyClaim.Completed done) {
            return replay(plan, done.result(), request, call.response());
        }
        throw claim instanceof KeyClaim.StillRunning
                ? refusal(plan, Code.IN_PROGRESS, "in_progress")
                : refusal(plan, Code.KEY_REUSED, "key_reused");
    }

    private KeyedRequest keyed(IdempotentPlan plan, HttpServletRequest request, @Nullable Object[] arguments) {
        try {
            String key = plan.keyOf(request, arguments);
            return new KeyedRequest(key, fingerprints.of(plan, request, arguments), TraceContext.traceId());
        } catch (RefusedException refused) {
            count(plan, refused.code().name().toLowerCase(Locale.ROOT));
            throw refused;
        }
    }

    /** Claims the key. While another run holds it, the claim is tried again until the handler's waiting time is over. */
    private KeyClaim claim(KeyedRequest keyed, IdempotentPlan plan) {
        long deadline = System.nanoTime() + plan.times().patience().toNanos();
        long pause = FIRST_PAUSE_NANOS;
        while (true) {
            KeyClaim claim = store.claim(keyed, plan.times().lease());
            long left = deadline - System.nanoTime();
            if (!(claim instanceof KeyClaim.StillRunning)
                    || left <= 0
                    || Thread.currentThread().isInterrupted()) {
                return claim;
            }
            LockSupport.parkNanos(Math.min(left, pause));
            pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
        }
    }

    private @Nullable Object replay(
            IdempotentPlan plan,
            StoredResult result,
            HttpServletRequest request,
            @Nullable HttpServletResponse response) {
        if (result.json() == null) {
            count(plan, "replayed");
            throw new RefusedException(Code.RESULT_NOT_KEPT);
        }
        count(plan, "replayed");
        new RenderedAnswer(result.code(), result.message(), result.json()).attachTo(request);
        if (response != null && result.httpStatus() != HttpStatus.OK.value()) {
            response.setStatus(result.httpStatus());
        }
        return plan.shape().placeholder(result.httpStatus());
    }

    private RefusedException refusal(IdempotentPlan plan, Code code, String outcome) {
        count(plan, outcome);
        return new RefusedException(
                code, null, code == Code.IN_PROGRESS ? Map.of(HttpHeaders.RETRY_AFTER, "1") : Map.of(), null);
    }

    private void count(IdempotentPlan plan, String outcome) {
        meter.count(GuardMetric.IDEMPOTENT_REQUESTS, plan.prefix(), outcome);
    }
}
