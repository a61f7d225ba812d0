package dev.waybill.starter.inbox.warehouse;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How often a handler was called for an event, committed or not. */
public final class Attempts {

    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    int next(String eventId) {
        return calls.merge(eventId, 1, Integer::sum);
    }

    public int of(String eventId) {
        return calls.getOrDefault(eventId, 0);
    }
}
