package dev.waybill.guard.boot;

import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The aspect of {@link RateLimit}. It runs before everything but the trace filter.
 *
 * <p>Answers have the headers of the IETF draft: {@code RateLimit-Policy: "api";q=capacity;w=seconds to fill} and {@code
 * RateLimit: "api";r=tokens left;t=seconds until full}; refusals have {@code Retry-After} too.
 */
final class RateLimitInterceptor implements MethodInterceptor {

    private static final String POLICY_HEADER = "RateLimit-Policy";
    private static final String LIMIT_HEADER = "RateLimit";

    private final RateLimiter limiter;
    private final RateLimitPlans plans;

    RateLimitInterceptor(RateLimiter limiter, RateLimitPlans plans) {
        this.limiter = limiter;
        this.plans = plans;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        HandlerCall call = HandlerCall.of(invocation);
        RateLimitPlan plan = plans.of(call.owner(), call.method());
        @Nullable Object[] arguments = invocation.getArguments();
        RateLimitDecision decision =
                limiter.decide(plan.limit(), plan.bucketOf(call.request(), arguments), plan.costOf(arguments));
        if (decision instanceof RateLimitDecision.Unavailable) {
            throw new RefusedException(Code.DEPENDENCY_DOWN);
        }
        if (decision instanceof RateLimitDecision.Refused refused) {
            throw refusal(plan, refused);
        }
        if (decision instanceof RateLimitDecision.Allowed allowed && call.response() != null) {
            addHeaders(plan, allowed.remaining(), call.response());
        }
        return invocation.proceed();
    }

    private static RefusedException refusal(RateLimitPlan plan, RateLimitDecision.Refused refused) {
        long seconds = seconds(refused.retryAfterMillis());
        return new RefusedException(
                Code.RATE_LIMITED,
                null,
                Map.of(
                        HttpHeaders.RETRY_AFTER,
                        Long.toString(seconds),
                        POLICY_HEADER,
                        policy(plan),
                        LIMIT_HEADER,
                        left(plan, refused.remaining(), seconds)),
                null);
    }

    private static void addHeaders(RateLimitPlan plan, long remaining, HttpServletResponse response) {
        TokenBucket bucket = plan.limit().bucket();
        long untilFull = seconds(bucket.millisFor((double) bucket.capacity() - remaining));
        response.setHeader(POLICY_HEADER, policy(plan));
        response.setHeader(LIMIT_HEADER, left(plan, remaining, untilFull));
    }

    private static String policy(RateLimitPlan plan) {
        TokenBucket bucket = plan.limit().bucket();
        return "\"" + name(plan) + "\";q=" + bucket.capacity() + ";w="
                + seconds(bucket.millisFor((double) bucket.capacity()));
    }

    private static String left(RateLimitPlan plan, long remaining, long seconds) {
        return "\"" + name(plan) + "\";r=" + remaining + ";t=" + seconds;
    }

    private static String name(RateLimitPlan plan) {
        return switch (plan.per()) {
            case API -> "api";
            case USER -> "user";
            case IP -> "ip";
            case EXPRESSION -> "key";
        };
    }

    private static long seconds(long millis) {
        return Math.max(1, (millis + 999) / 1000);
    }
}
