package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import java.lang.annotation.Annotation;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** The two aspects and their order: trace filter, rate limit, authorisation, idempotency, transaction, handler. */
@Configuration(proxyBeanMethods = false)
class GuardAdvisors {

    /** Behind the trace filter, in front of everything else. */
    static final int RATE_LIMIT_ORDER = 0;

    /**
     * Behind the rate limit and Spring Security's {@code @PreAuthorize}, {@code @Secured} and {@code @RolesAllowed} (200 to
     * 400), which must be asked before a stored answer is given; in front of the transaction.
     */
    static final int IDEMPOTENCY_ORDER = 410;

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor rateLimitAdvisor(ObjectProvider<RateLimiter> limiter, ObjectProvider<RateLimitPlans> plans) {
        return advisor(
                RateLimit.class,
                RATE_LIMIT_ORDER,
                new LazyInterceptor(() -> new RateLimitInterceptor(limiter.getObject(), plans.getObject())));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor idempotencyAdvisor(
            ObjectProvider<IdempotencyStore> store,
            ObjectProvider<IdempotentPlans> plans,
            ObjectProvider<IdempotentRunner> runs,
            ObjectProvider<RequestFingerprints> fingerprints,
            ObjectProvider<StoreAvailability> availability,
            ObjectProvider<GuardMeter> meter) {
        return advisor(
                Idempotent.class,
                IDEMPOTENCY_ORDER,
                new LazyInterceptor(() -> new IdempotentInterceptor(
                        store.getObject(),
                        plans.getObject(),
                        runs.getObject(),
                        fingerprints.getObject(),
                        availability.getObject(),
                        meter.getIfAvailable(GuardMeter::none))));
    }

    private static Advisor advisor(Class<? extends Annotation> annotation, int order, MethodInterceptor interceptor) {
        @Nullable Class<? extends Annotation> anyClass = null;
        DefaultPointcutAdvisor advisor =
                new DefaultPointcutAdvisor(new AnnotationMatchingPointcut(anyClass, annotation, true), interceptor);
        advisor.setOrder(order);
        return advisor;
    }
}
