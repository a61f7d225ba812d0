package dev.waybill.starter.inbox;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Finds the annotated methods of all beans, also behind proxies, without instantiating lazy beans. */
final class ListenerMethodFinder {

    private final ConfigurableListableBeanFactory beans;
    private final ListenerAnnotationReader annotations;

    ListenerMethodFinder(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.annotations = new ListenerAnnotationReader(beans::resolveEmbeddedValue);
    }

    List<ListenerMethod> find() {
        List<ListenerMethod> found = new ArrayList<>();
        for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(bean) ? null : AutoProxyUtils.determineTargetClass(beans, bean);
            if (type != null && AnnotationUtils.isCandidateClass(type, WaybillListener.class)) {
                annotated(type).forEach((method, annotation) -> found.add(listener(bean, type, method, annotation)));
            }
        }
        return found;
    }

    private static Map<Method, WaybillListener> annotated(Class<?> type) {
        return MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<@Nullable WaybillListener>)
                method -> AnnotatedElementUtils.findMergedAnnotation(method, WaybillListener.class));
    }

    private ListenerMethod listener(String bean, Class<?> type, Method method, WaybillListener annotation) {
        refuseUnreachable(bean, method);
        ListenerArgumentResolver.check(bean, method);
        ListenerMethodChecks.check(bean, method, type);
        return new ListenerMethod(bean, callable(bean, method), annotations.read(bean, method, annotation));
    }

    /** A proxy cannot override such a method, so it would run without its transaction and on empty fields. */
    private static void refuseUnreachable(String bean, Method method) {
        for (var modifier : Map.of(Modifier.PRIVATE, "private", Modifier.STATIC, "static", Modifier.FINAL, "final")
                .entrySet()) {
            if ((method.getModifiers() & modifier.getKey()) != 0) {
                throw ListenerMethod.refused(
                        bean,
                        method,
                        "it is " + modifier.getValue() + ", so a Spring proxy cannot reach it",
                        "Take '" + modifier.getValue() + "' off the method.",
                        null);
            }
        }
    }

    private Method callable(String bean, Method method) {
        Class<?> type = beans.getType(bean);
        try {
            return type == null ? method : AopUtils.selectInvocableMethod(method, type);
        } catch (IllegalStateException e) {
            throw ListenerMethod.refused(
                    bean,
                    method,
                    "the bean's proxy has only its interfaces' methods, and this is none of them",
                    "Declare the method in an interface of the bean, or set spring.aop.proxy-target-class=true.",
                    e);
        }
    }
}
