package dev.waybill.guard.boot;

import dev.waybill.guard.boot.GuardSettings.LimitOverride;
import dev.waybill.guard.boot.RateLimitPlan.Cost;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.ratelimit.RateLimit.Per;
import dev.waybill.guard.ratelimit.RateLimit.WhenDown;
import dev.waybill.guard.web.CallerIdentity;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The plans of all limited handlers: made and checked once, at start-up, from annotation and settings. */
final class RateLimitPlans {

    private static final String APIS = "waybill.guard.ratelimit.apis";
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");
    private static final LimitOverride NOTHING = new LimitOverride(null, null, null, null, null);

    private final Map<GuardedMethod, RateLimitPlan> plans = new ConcurrentHashMap<>();
    private final Map<String, LimitOverride> overrides;
    private final WhenDown whenDown;
    private final CallerIdentity callers;

    RateLimitPlans(Map<String, LimitOverride> overrides, WhenDown whenDown, CallerIdentity callers) {
        this.overrides = Map.copyOf(overrides);
        this.whenDown = whenDown;
        this.callers = callers;
    }

    /** The plan of {@code method}; a mistake in annotation or settings is an {@link IllegalStateException} that names it. */
    RateLimitPlan of(Class<?> owner, Method method) {
        return plans.computeIfAbsent(new GuardedMethod(owner, method), guarded -> plan(owner, method));
    }

    /** Stops the start-up where two handlers would share a bucket by accident, or a setting is about no handler at all. */
    void check() {
        Map<String, Set<String>> byName = plans.entrySet().stream()
                .collect(Collectors.groupingBy(
                        plan -> plan.getValue().limit().name(),
                        Collectors.mapping(plan -> namedAfter(plan.getKey()).getName(), Collectors.toSet())));
        byName.forEach((name, owners) -> {
            if (owners.size() > 1) {
                throw new IllegalStateException(
                        "@RateLimit: " + owners + " share the bucket " + name + "; give one of them a name");
            }
        });
        overrides.keySet().stream().filter(name -> !byName.containsKey(name)).forEach(name -> {
            throw new IllegalStateException(
                    APIS + "[" + name + "]: no @RateLimit has this name; known: " + byName.keySet());
        });
    }

    /** The class that the bucket's name comes from: one that names its method itself means it for all its subclasses. */
    private static Class<?> namedAfter(GuardedMethod guarded) {
        RateLimit given = AnnotatedElementUtils.findMergedAnnotation(guarded.method(), RateLimit.class);
        return given == null || given.name().isEmpty()
                ? guarded.owner()
                : guarded.method().getDeclaringClass();
    }

    /** The names of the limits per user, in order. */
    Set<String> perUser() {
        return plans.values().stream()
                .filter(plan -> plan.per() == Per.USER)
                .map(plan -> plan.limit().name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private RateLimitPlan plan(Class<?> owner, Method method) {
        RateLimit given = AnnotatedElementUtils.findMergedAnnotation(method, RateLimit.class);
        if (given == null) {
            throw new IllegalStateException(method + " has no @RateLimit");
        }
        String name = given.name().isEmpty() ? HandlerCall.nameOf(owner, method) : given.name();
        LimitOverride override = overrides.getOrDefault(name, NOTHING);
        try {
            TokenBucket bucket = new TokenBucket(
                    override.rate() == null ? given.rate() : override.rate(),
                    override.capacity() == null ? given.capacity() : override.capacity());
            long slice = slice(override, given);
            BucketLimit limit = new BucketLimit(name, bucket, slice, settled(override.whenDown(), given.whenDown()));
            Cost cost = cost(override.cost() == null ? given.cost() : override.cost(), method, bucket);
            return new RateLimitPlan(limit, given.per(), key(given, method), cost, callers);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(
                    "@RateLimit of " + method + " (or " + APIS + "[" + name + "]): " + e.getMessage(), e);
        }
    }

    /**
     * A slice must not exceed the capacity. Whoever lowers the capacity in the settings may not know the slice in the
     * annotation, so the slice is lowered with it.
     */
    private static long slice(LimitOverride override, RateLimit given) {
        if (override.slice() != null) {
            return override.slice();
        }
        return override.capacity() == null ? given.slice() : Math.min(given.slice(), override.capacity());
    }

    private WhenDown settled(@Nullable WhenDown override, WhenDown annotated) {
        if (override != null && override != WhenDown.AS_CONFIGURED) {
            return override;
        }
        return annotated == WhenDown.AS_CONFIGURED ? whenDown : annotated;
    }

    private static @Nullable HandlerExpression key(RateLimit given, Method method) {
        if ((given.per() == Per.EXPRESSION) == given.key().isEmpty()) {
            throw new IllegalArgumentException("key and per = EXPRESSION belong together");
        }
        return given.key().isEmpty() ? null : HandlerExpression.parse(given.key(), method);
    }

    private static Cost cost(String text, Method method, TokenBucket bucket) {
        if (!NUMBER.matcher(text).matches()) {
            return new Cost.Computed(HandlerExpression.parse(text, method));
        }
        long tokens = Long.parseLong(text);
        if (tokens < 1 || tokens > bucket.capacity()) {
            throw new IllegalArgumentException(
                    "cost must be between 1 and the capacity, or nothing ever passes: " + text);
        }
        return new Cost.Fixed(tokens);
    }
}
