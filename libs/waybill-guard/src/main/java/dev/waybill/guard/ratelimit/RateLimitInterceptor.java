package dev.waybill.guard.ratelimit;

import dev.waybill.guard.handler.HandlerCall;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The aspect of {@link RateLimit}, in front of everything but the trace filter.
 *
 * <p>Answers carry the headers of the IETF draft: {@code RateLimit-Policy: "api";q=capacity;w=seconds to fill} and
 * {@code RateLimit: "api";r=tokens left;t=seconds until full}, refusals {@code Retry-After} too.
 */
public final class RateLimitInterceptor implements MethodInterceptor {

    private static final String POLICY_HEADER = "RateLimit-Policy";
    private static final String LIMIT_HEADER = "RateLimit";

    private final RateLimiter limiter;
    private final LimitPlans plans;

    public RateLimitInterceptor(RateLimiter limiter, LimitPlans plans) {
        this.limiter = limiter;
        this.plans = plans;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        HandlerCall call = HandlerCall.of(invocation);
        LimitPlan plan = plans.of(call.owner(), call.method());
        @Nullable Object[] arguments = invocation.getArguments();
        Decision decision =
                limiter.decide(plan.limit(), plan.bucketOf(call.request(), arguments), plan.costOf(arguments));
        if (decision instanceof Decision.Unavailable) {
            throw new RefusedException(Code.DEPENDENCY_DOWN);
        }
        if (decision instanceof Decision.Refused refused) {
            throw refusal(plan, refused);
        }
        if (decision instanceof Decision.Allowed allowed && call.response() != null) {
            announce(plan, allowed.remaining(), call.response());
        }
        return invocation.proceed();
    }

    private static RefusedException refusal(LimitPlan plan, Decision.Refused refused) {
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

    private static void announce(LimitPlan plan, long remaining, HttpServletResponse response) {
        TokenBucket bucket = plan.limit().bucket();
        long untilFull = seconds(bucket.millisFor((double) bucket.capacity() - remaining));
        response.setHeader(POLICY_HEADER, policy(plan));
        response.setHeader(LIMIT_HEADER, left(plan, remaining, untilFull));
    }

    private static String policy(LimitPlan plan) {
        TokenBucket bucket = plan.limit().bucket();
        return "\"" + name(plan) + "\";q=" + bucket.capacity() + ";w="
                + seconds(bucket.millisFor((double) bucket.capacity()));
    }

    private static String left(LimitPlan plan, long remaining, long seconds) {
        return "\"" + name(plan) + "\";r=" + remaining + ";t=" + seconds;
    }

    private static String name(LimitPlan plan) {
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
