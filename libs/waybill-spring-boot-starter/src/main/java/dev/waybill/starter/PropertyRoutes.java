package dev.waybill.starter;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.Router;
import dev.waybill.outbox.Routes;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The routes that the properties name; a missing one is named by its property. */
final class PropertyRoutes implements Router {

    private static final Pattern PLAIN_KEY = Pattern.compile("[A-Za-z0-9-]+");

    private final Routes routes;
    private final boolean empty;

    PropertyRoutes(Routes routes, boolean empty) {
        this.routes = routes;
        this.empty = empty;
    }

    /** Whether no property names a route at all. */
    boolean isEmpty() {
        return empty;
    }

    @Override
    public @Nullable Destination route(Event event) {
        return routes.route(event);
    }

    @Override
    public String missingRoute(String eventType) {
        String key = PLAIN_KEY.matcher(eventType).matches() ? eventType : "[" + eventType + "]";
        return "set waybill.routes." + key
                + ".topic, or waybill.default-route.topic for all types without a route, or give"
                + " the event a destination";
    }
}
