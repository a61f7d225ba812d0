package dev.waybill.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One cursor for each set of topics that claims leave out. A topic that is tried again and fails is left out, taken in and left
 * out in turn, and the place behind its rows must not be looked for each time.
 */
final class ClaimCursors {

    private static final int MOST = 16;

    private final Map<Set<String>, ClaimCursor> cursors = new LinkedHashMap<>(MOST, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Set<String>, ClaimCursor> eldest) {
            return size() > MOST;
        }
    };

    synchronized ClaimCursor of(Set<String> exceptTopics) {
        return cursors.computeIfAbsent(Set.copyOf(exceptTopics), ClaimCursor::new);
    }
}
