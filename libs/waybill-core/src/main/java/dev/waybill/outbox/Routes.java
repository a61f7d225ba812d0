package dev.waybill.outbox;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes by event type. */
public final class Routes implements Router {

    private final Map<String, Destination> byType;
    private final @Nullable Destination fallback;

    private Routes(Map<String, Destination> byType, @Nullable Destination fallback) {
        this.byType = Map.copyOf(byType);
        this.fallback = fallback;
    }

    /** Every type to one destination. */
    public static Routes all(Destination destination) {
        return new Routes(Map.of(), destination);
    }

    public static Routes of(Map<String, Destination> byType) {
        return new Routes(byType, null);
    }

    /** These routes and one more. */
    public Routes and(String eventType, Destination destination) {
        Map<String, Destination> more = new HashMap<>(byType);
        more.put(eventType, destination);
        return new Routes(more, fallback);
    }

    @Override
    public @Nullable Destination route(Event event) {
        return byType.getOrDefault(event.type(), fallback);
    }
}
