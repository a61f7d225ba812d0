package dev.waybill.starter;

import dev.waybill.outbox.Outbox;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/**
 * Finds out whether a bean of the application publishes, when all singletons exist: it has the outbox by then, or it asks for
 * it later, by an {@code ObjectProvider<Outbox>} in a constructor, a field or a factory method. Who only looks it up by name or
 * type is not seen.
 */
final class PublisherFinder {

    private PublisherFinder() {}

    static boolean findsOne(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanNamesForType(Outbox.class))
                        .anyMatch(outbox -> beans.getDependentBeans(outbox).length > 0)
                || Arrays.stream(beans.getBeanDefinitionNames()).anyMatch(bean -> asksLater(beans, bean));
    }

    private static boolean asksLater(ConfigurableListableBeanFactory beans, String bean) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
        if (type == null || type == Outbox.class) {
            return false;
        }
        try {
            Method factory = beans.getMergedBeanDefinition(bean) instanceof RootBeanDefinition definition
                    ? definition.getResolvedFactoryMethod()
                    : null;
            return Stream.concat(parametersOf(factory), injected(type)).anyMatch(PublisherFinder::holdsAnOutbox);
        } catch (LinkageError | TypeNotPresentException e) {
            return false; // a class with parts that are not on the class path cannot be looked at
        }
    }

    private static Stream<Type> parametersOf(@Nullable Method factory) {
        return factory == null ? Stream.of() : Arrays.stream(factory.getGenericParameterTypes());
    }

    private static Stream<Type> injected(Class<?> type) {
        Stream<Type> constructors = Arrays.stream(type.getDeclaredConstructors())
                .map(Constructor::getGenericParameterTypes)
                .flatMap(Arrays::stream);
        List<Type> fields = new ArrayList<>();
        ReflectionUtils.doWithFields(type, field -> fields.add(field.getGenericType()));
        return Stream.concat(constructors, fields.stream());
    }

    /** A provider, a supplier or a list of them; the outbox itself would have made its bean a dependent one. */
    private static boolean holdsAnOutbox(Type type) {
        return Arrays.stream(ResolvableType.forType(type).getGenerics())
                .anyMatch(generic -> generic.resolve() == Outbox.class);
    }
}
