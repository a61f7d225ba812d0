package dev.waybill.inbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What came of a replay. Every letter that was asked for is among the replayed or the refused. */
public final class ReplayReport {

    private final List<Long> replayed = new ArrayList<>();
    private final Map<Long, String> refused = new LinkedHashMap<>();
    private boolean brokerGone;
    private long lastId;

    ReplayReport() {}

    /** Ids of the letters that the broker confirmed. */
    public List<Long> replayed() {
        return List.copyOf(replayed);
    }

    /** Ids of the letters that stayed, and why. */
    public Map<Long, String> refused() {
        return Map.copyOf(refused);
    }

    /** Whether the replay ended early because the broker could not be reached. */
    public boolean brokerGone() {
        return brokerGone;
    }

    /** The last letter that was looked at: a replay of the rest begins after it. */
    public long lastId() {
        return lastId;
    }

    void lookedAt(long id) {
        lastId = id;
    }

    void replayed(long id) {
        replayed.add(id);
    }

    void refused(long id, String why) {
        refused.put(id, why);
    }

    void lostTheBroker() {
        brokerGone = true;
    }
}
