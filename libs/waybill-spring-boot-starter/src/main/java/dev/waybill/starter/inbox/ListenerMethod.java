package dev.waybill.starter.inbox;

import dev.waybill.inbox.UnknownTypes;
import dev.waybill.starter.StartUpException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A bean's listening method and what its annotation says.
 *
 * @param bean the bean's name
 * @param method the method, such that it can be called on the bean or its proxy
 * @param attributes the annotation's attributes, placeholders resolved
 */
record ListenerMethod(String bean, Method method, Attributes attributes) {

    /**
     * What is consumed, and how.
     *
     * @param source topic or queue
     * @param group the consumer group
     * @param unknownTypes what becomes of types that no method of the group names
     * @param types the types this method handles
     * @param tags the tags it receives, {@code *} for all
     * @param concurrency null leaves it to the properties
     * @param batch null leaves it to the properties
     */
    record Attributes(
            String source,
            String group,
            UnknownTypes unknownTypes,
            Set<String> types,
            List<String> tags,
            @Nullable Integer concurrency,
            @Nullable Integer batch) {}

    /** Bean and method, for messages. */
    String place() {
        return place(bean, method);
    }

    static String place(String bean, Method method) {
        return "bean '" + bean + "', method " + method.getDeclaringClass().getName() + "." + method.getName();
    }

    StartUpException refused(String problem, String fix) {
        return refused(bean, method, problem, fix, null);
    }

    static StartUpException refused(String bean, Method method, String problem, String fix, @Nullable Throwable cause) {
        return new StartUpException(
                "@WaybillListener",
                "The @WaybillListener at " + place(bean, method) + " cannot work: " + problem + ".",
                fix,
                cause);
    }
}
