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
 * @param terms the annotation, placeholders resolved
 */
record ListenerMethod(String bean, Method method, Terms terms) {

    /**
     * What is consumed, and how.
     *
     * @param source topic or queue
     * @param group who consumes
     * @param unknownTypes what becomes of types that nobody names
     * @param types the types this method handles
     * @param tags tags that it wants, {@code *} for all
     * @param pace numbers of its own
     */
    record Terms(
            String source, String group, UnknownTypes unknownTypes, Set<String> types, List<String> tags, Pace pace) {}

    /** Numbers that the annotation gives; null leaves them to the properties. */
    record Pace(@Nullable Integer concurrency, @Nullable Integer batch) {}

    /** For people: bean and method. */
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
