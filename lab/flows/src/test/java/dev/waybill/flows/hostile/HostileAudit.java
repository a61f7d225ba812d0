package dev.waybill.flows.hostile;

import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What was answered to whom, to be compared with what the tables say. */
final class HostileAudit {

    private final Map<Integer, AtomicInteger> statuses = new ConcurrentSkipListMap<>();
    private final Map<Write.Kind, AtomicInteger> perhapsDone = new EnumMap<>(Write.Kind.class);
    private final Map<Write.Kind, Queue<String>> refused = new EnumMap<>(Write.Kind.class);

    HostileAudit() {
        for (Write.Kind kind : Write.Kind.values()) {
            perhapsDone.put(kind, new AtomicInteger());
            refused.put(kind, new ConcurrentLinkedQueue<>());
        }
    }

    void answered(HostileRequest request, int status) {
        statuses.computeIfAbsent(status, s -> new AtomicInteger()).incrementAndGet();
        if (status >= 400) {
            refusedOf(request.write().kind()).add(request.write().id());
        } else {
            count(request);
        }
    }

    /** The caller did not wait for the answer. */
    void left(HostileRequest request) {
        count(request);
    }

    private void count(HostileRequest request) {
        perhapsDoneBy(request.write().kind()).incrementAndGet();
    }

    Map<Integer, AtomicInteger> statuses() {
        return statuses;
    }

    /** How many requests may have had an effect. */
    AtomicInteger perhapsDoneBy(Write.Kind kind) {
        return perhapsDone.get(kind);
    }

    /** The ids of requests that were answered with an error. */
    Queue<String> refusedOf(Write.Kind kind) {
        return refused.get(kind);
    }
}
