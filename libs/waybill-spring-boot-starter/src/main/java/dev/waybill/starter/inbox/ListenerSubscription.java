package dev.waybill.starter.inbox;

import dev.waybill.inbox.UnknownTypes;
import dev.waybill.transport.SubscriptionSpec;
import java.util.List;

/**
 * One subscription and the methods that handle what it receives.
 *
 * @param spec what is received
 * @param unknownTypes what becomes of types that no method names
 * @param methods at least one
 */
record ListenerSubscription(SubscriptionSpec spec, UnknownTypes unknownTypes, List<ListenerMethod> methods) {

    /** The name in log lines: the class, or the group where several classes share it. */
    String consumer() {
        List<String> classes = methods.stream()
                .map(listener -> listener.method().getDeclaringClass().getSimpleName())
                .distinct()
                .toList();
        return classes.size() == 1 ? classes.get(0) : spec.group();
    }
}
