package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.web.CallerIdentity;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;

/**
 * Stops the start-up when an annotation would have no effect or would break its promise: on a method that no proxy reaches,
 * on a handler whose answer can't be stored, or when the transaction runs outside of the guard. Says what callers share where
 * nothing tells them apart.
 */
final class GuardStartupCheck implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(GuardStartupCheck.class);

    private static final String TRANSACTION_ADVISOR =
            "org.springframework.transaction.config.internalTransactionAdvisor";

    private final ConfigurableListableBeanFactory beans;
    private final RateLimitPlans limits;
    private final IdempotentPlans idempotents;

    GuardStartupCheck(ConfigurableListableBeanFactory beans, RateLimitPlans limits, IdempotentPlans idempotents) {
        this.beans = beans;
        this.limits = limits;
        this.idempotents = idempotents;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = beans.getType(name, false);
            if (type != null) {
                check(name, ClassUtils.getUserClass(type));
            }
        }
        limits.check();
        checkTransactionOrder();
        tellWhatIsShared();
    }

    private void check(String bean, Class<?> type) {
        annotated(type, RateLimit.class).forEach(method -> {
            requireProxied(bean, method, RateLimit.class);
            limits.of(type, method);
        });
        annotated(type, Idempotent.class).forEach(method -> {
            requireProxied(bean, method, Idempotent.class);
            if (!AnnotatedElementUtils.hasAnnotation(type, Controller.class)) {
                throw new IllegalStateException("@Idempotent on " + method
                        + ": it belongs on a web handler, in a @Controller or @RestController");
            }
            idempotents.check(type, method);
            requireAuthorisedFirst(bean, type, method);
        });
    }

    private static Set<Method> annotated(Class<?> type, Class<? extends Annotation> annotation) {
        if (type.getName().startsWith("org.springframework.")) {
            return Set.of();
        }
        MethodIntrospector.MetadataLookup<Boolean> lookup =
                method -> AnnotatedElementUtils.hasAnnotation(method, annotation) ? Boolean.TRUE : null;
        Map<Method, Boolean> found = MethodIntrospector.selectMethods(type, lookup);
        return found.keySet();
    }

    private void requireProxied(String bean, Method method, Class<? extends Annotation> annotation) {
        String guard = "@" + annotation.getSimpleName() + " on " + method;
        int modifiers = method.getModifiers();
        if (Modifier.isFinal(modifiers) || Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            throw new IllegalStateException(guard + ": final, private and static methods can't be guarded");
        }
        if (beans.isSingleton(bean) && !AopUtils.isAopProxy(beans.getBean(bean))) {
            throw new IllegalStateException(guard + ": the bean is not proxied; spring.aop.auto must be true");
        }
    }

    /** A repeat is answered from the store and goes no further inside: whoever may ask must have been checked by then. */
    private void requireAuthorisedFirst(String bean, Class<?> type, Method method) {
        if (!beans.isSingleton(bean) || !(beans.getBean(bean) instanceof Advised advised)) {
            return;
        }
        for (Advisor advisor : advised.getAdvisors()) {
            if (SpringSecurity.authorises(advisor, type, method)
                    && advisor instanceof Ordered ordered
                    && ordered.getOrder() >= GuardAdvisors.IDEMPOTENCY_ORDER) {
                throw new IllegalStateException("@Idempotent on " + method
                        + ": authorisation of order " + ordered.getOrder()
                        + " would not be asked for a repeat; it must be below " + GuardAdvisors.IDEMPOTENCY_ORDER
                        + ", so use @PreAuthorize instead of @PostAuthorize and @PostFilter");
            }
        }
    }

    /** Without an identity, whoever has the key and the request of another caller gets that caller's result. */
    private void tellWhatIsShared() {
        boolean known = beans.containsBean(SpringSecurity.FILTER_CHAIN_BEAN)
                || !(beans.getBean(CallerIdentity.class) instanceof PrincipalIdentity);
        if (!known && !(idempotents.prefixes().isEmpty() && limits.perUser().isEmpty())) {
            log.info(
                    "[Guard] no CallerIdentity bean and no Spring Security: unless the container names a principal, callers"
                            + " share results under equal keys and requests {}, and limits per user count by address {}",
                    idempotents.prefixes(),
                    limits.perUser());
        }
    }

    /** The result is stored when the handler's proxy returns; the transaction must be over by then. */
    private void checkTransactionOrder() {
        if (beans.containsBean(TRANSACTION_ADVISOR)
                && beans.getBean(TRANSACTION_ADVISOR) instanceof Ordered advisor
                && advisor.getOrder() <= GuardAdvisors.IDEMPOTENCY_ORDER) {
            throw new IllegalStateException("@EnableTransactionManagement(order = " + advisor.getOrder()
                    + "): it must be above " + GuardAdvisors.IDEMPOTENCY_ORDER
                    + ", or results are stored before they are committed");
        }
    }
}
