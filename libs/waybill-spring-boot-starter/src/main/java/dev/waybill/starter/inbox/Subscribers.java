package dev.waybill.starter.inbox;

import dev.waybill.inbox.UnknownTypes;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.inbox.ListenerMethod.Pace;
import dev.waybill.transport.SubscriptionSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Joins methods of the same source and group to one subscription, and refuses those that contradict each other. */
final class Subscribers {

    private static final String ALL = "*";

    private Subscribers() {}

    static List<Subscriber> of(List<ListenerMethod> methods, InboxProperties properties) {
        refuseTwoForOneType(methods);
        Map<List<String>, List<ListenerMethod>> bySourceAndGroup = methods.stream()
                .collect(Collectors.groupingBy(
                        listener -> List.of(
                                listener.terms().source(), listener.terms().group()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return bySourceAndGroup.values().stream()
                .map(together -> subscriber(together, properties))
                .toList();
    }

    /** Also across sources: a group that has handled an event in one place takes it for a repeat in the other. */
    private static void refuseTwoForOneType(List<ListenerMethod> methods) {
        Map<List<String>, ListenerMethod> known = new HashMap<>();
        for (ListenerMethod listener : methods) {
            for (String type : listener.terms().types()) {
                ListenerMethod other =
                        known.putIfAbsent(List.of(listener.terms().group(), type), listener);
                if (other != null) {
                    throw listener.refused(
                            "group " + listener.terms().group() + " handles " + type + " already, at " + other.place(),
                            "Give one of them another group, or let one method do both.");
                }
            }
        }
    }

    private static Subscriber subscriber(List<ListenerMethod> together, InboxProperties properties) {
        ListenerMethod first = together.get(0);
        UnknownTypes unknownTypes =
                agreed(together, "topic or queue", listener -> listener.terms().unknownTypes());
        Integer concurrency = agreed(together, "concurrency", of(Pace::concurrency));
        Integer batch = agreed(together, "batch", of(Pace::batch));
        SubscriptionSpec spec = SubscriptionSpec.of(
                        first.terms().source(), first.terms().group())
                .withTag(tags(together))
                .withConcurrency(concurrency == null ? properties.concurrency() : concurrency, properties.prefetch())
                .withBatch(batch == null ? properties.batch() : batch)
                .withRetryDelays(properties.retryDelays());
        return new Subscriber(spec, unknownTypes == null ? UnknownTypes.DEAD_LETTER : unknownTypes, together);
    }

    private static Function<ListenerMethod, @Nullable Integer> of(Function<Pace, @Nullable Integer> number) {
        return listener -> number.apply(listener.terms().pace());
    }

    private static <T> @Nullable T agreed(
            List<ListenerMethod> together, String name, Function<ListenerMethod, @Nullable T> what) {
        T agreed = null;
        for (ListenerMethod listener : together) {
            T own = what.apply(listener);
            if (agreed != null && own != null && !agreed.equals(own)) {
                throw listener.refused(
                        "it shares its subscription with " + together.get(0).place() + ", but their " + name
                                + " differ",
                        "Let both say the same, or give one of them another group.");
            }
            agreed = agreed == null ? own : agreed;
        }
        return agreed;
    }

    private static String tags(List<ListenerMethod> together) {
        List<String> tags = together.stream()
                .flatMap(listener -> listener.terms().tags().stream())
                .distinct()
                .toList();
        return tags.contains(ALL) ? ALL : String.join(" || ", tags);
    }
}
