package dev.waybill.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Sorts claimed rows by equal fence, so that one statement settles all that were claimed together. */
final class OutboxFenceGroups {

    /**
     * Rows with the same fence. It was read once, when the group was made: a claim that changes meanwhile must not make one
     * statement guard rows by different fences.
     */
    record Group<T>(String fence, List<T> items) {}

    private OutboxFenceGroups() {}

    /** Groups no longer than one statement's list. */
    static <T> List<Group<T>> of(List<T> items, Function<T, String> fence) {
        return of(items, fence, SqlCall.LONGEST_LIST);
    }

    /** Groups no longer than this. */
    static <T> List<Group<T>> of(List<T> items, Function<T, String> fence, int longest) {
        Map<String, List<T>> byFence = new LinkedHashMap<>();
        for (T item : items) {
            byFence.computeIfAbsent(fence.apply(item), key -> new ArrayList<>()).add(item);
        }
        List<Group<T>> groups = new ArrayList<>();
        byFence.forEach((sameFence, rows) -> {
            for (int from = 0; from < rows.size(); from += longest) {
                groups.add(new Group<>(sameFence, rows.subList(from, Math.min(rows.size(), from + longest))));
            }
        });
        return groups;
    }
}
