package dev.waybill.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Sorts claimedEvents by equal fence, so that one statement settles all that were taken together. */
final class OutboxFenceGroups {

    private OutboxFenceGroups() {}

    /** Groups no longer than one statement's list. */
    static <T> List<List<T>> of(List<T> items, Function<T, String> fence) {
        return of(items, fence, SqlCall.LONGEST_LIST);
    }

    /** Groups no longer than this. */
    static <T> List<List<T>> of(List<T> items, Function<T, String> fence, int longest) {
        Map<String, List<T>> byFence = new LinkedHashMap<>();
        for (T item : items) {
            byFence.computeIfAbsent(fence.apply(item), key -> new ArrayList<>()).add(item);
        }
        List<List<T>> groups = new ArrayList<>();
        for (List<T> group : byFence.values()) {
            for (int from = 0; from < group.size(); from += longest) {
                groups.add(group.subList(from, Math.min(group.size(), from + longest)));
            }
        }
        return groups;
    }
}
