package dev.waybill.starter.inbox;

import dev.waybill.inbox.UnknownTypes;
import dev.waybill.starter.InboxProperties;
import dev.waybill.transport.SubscriptionSpec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes one subscription of the methods with the same source and group, and refuses methods that contradict each other. */
final class ListenerSubscriptionFactory {

    private static final String ALL = "*";

    private ListenerSubscriptionFactory() {}

    static List<ListenerSubscription> of(List<ListenerMethod> methods, InboxProperties properties) {
        refuseTwoForOneType(methods);
        Map<List<String>, List<ListenerMethod>> bySourceAndGroup = methods.stream()
                .collect(Collectors.groupingBy(
                        listener -> List.of(
                                listener.attributes().source(),
                                listener.attributes().group()),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return bySourceAndGroup.values().stream()
                .map(together -> subscription(together, properties))
                .toList();
    }

    /** Also across sources: an event that the group has handled from one source would be taken for a repeat from the other. */
    private static void refuseTwoForOneType(List<ListenerMethod> methods) {
        Map<List<String>, ListenerMethod> known = new HashMap<>();
        for (ListenerMethod listener : methods) {
            for (String type : listener.attributes().types()) {
                ListenerMethod other =
                        known.putIfAbsent(List.of(listener.attributes().group(), type), listener);
                if (other != null) {
                    throw listener.refused(
                            "group " + listener.attributes().group() + " handles " + type + " already, at "
                                    + other.place(),
                            "Give one of them another group, or let one method do both.");
                }
            }
        }
    }

    private static ListenerSubscription subscription(List<ListenerMethod> together, InboxProperties properties) {
        ListenerMethod first = together.get(0);
        UnknownTypes unknownTypes = agreed(
                together, "topic or queue", listener -> listener.attributes().unknownTypes());
        Integer concurrency = agreed(
                together, "concurrency", listener -> listener.attributes().concurrency());
        Integer batch =
                agreed(together, "batch", listener -> listener.attributes().batch());
        SubscriptionSpec spec = SubscriptionSpec.of(
                        first.attributes().source(), first.attributes().group())
                .withTag(tags(together))
                .withConcurrency(concurrency == null ? properties.concurrency() : concurrency, properties.prefetch())
                .withBatch(batch == null ? properties.batch() : batch)
                .withRetryDelays(properties.retryDelays());
        return new ListenerSubscription(spec, unknownTypes == null ? UnknownTypes.DEAD_LETTER : unknownTypes, together);
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
                .flatMap(listener -> listener.attributes().tags().stream())
                .distinct()
                .toList();
        return tags.contains(ALL) ? ALL : String.join(" || ", tags);
    }
}
