package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
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
 * on a handler whose answer can't be stored, or when the transaction runs outside of the guard.
 */
final class GuardStartupCheck implements SmartInitializingSingleton {

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
