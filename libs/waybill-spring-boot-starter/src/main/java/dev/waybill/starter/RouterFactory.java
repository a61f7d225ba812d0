package dev.waybill.starter;

import dev.waybill.message.Destination;
import dev.waybill.outbox.Router;
import dev.waybill.outbox.Routes;
import dev.waybill.starter.WaybillProperties.Route;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the router from properties. */
final class RouterFactory {

    private RouterFactory() {}

    static Router from(Map<String, Route> routes, @Nullable Route fallback) {
        Map<String, Destination> byType = new TreeMap<>();
        routes.forEach((type, route) -> byType.put(type, destination("waybill.routes." + type, route)));
        Routes all =
                fallback == null ? Routes.of(Map.of()) : Routes.all(destination("waybill.default-route", fallback));
        for (Map.Entry<String, Destination> route : byType.entrySet()) {
            all = all.and(route.getKey(), route.getValue());
        }
        return new PropertyRoutes(all, byType.isEmpty() && fallback == null);
    }

    private static Destination destination(String prefix, Route route) {
        String topic = route.topic();
        if (topic == null || topic.isBlank()) {
            throw new StartUpException(
                    prefix + ".topic",
                    "The route " + prefix + " has no topic.",
                    "Set " + prefix + ".topic; an event type that contains dots is written in brackets, such as"
                            + " waybill.routes.[order.created].topic.",
                    null);
        }
        return Destination.of(topic, route.tag());
    }
}
