package dev.waybill.message;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Remembers which failures were logged with their stack traces. Those of the same class that come from the same place are one
 * group, whatever their messages say, and one trace tells all that the others would. Only so many groups are remembered: one
 * that was not seen for long is logged with its trace again.
 */
public final class StackTraces {

    private static final int GROUPS = 200;
    private static final int TOP_FRAMES = 5;

    private final Map<List<String>, Boolean> seen = new LinkedHashMap<>(16, 0.75f, true);

    /** Whether this failure is the first of its group. */
    public boolean isNew(Throwable failure) {
        List<String> group = group(failure);
        synchronized (seen) {
            boolean first = seen.put(group, true) == null;
            if (seen.size() > GROUPS) {
                seen.remove(seen.keySet().iterator().next());
            }
            return first;
        }
    }

    /** The innermost cause says where it happened; what is around it is often the same for every failure. */
    private static List<String> group(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; depth < 20 && root.getCause() != null; depth++) { // a chain of causes may be a ring
            root = root.getCause();
        }
        Stream<String> classes =
                Stream.of(failure.getClass().getName(), root.getClass().getName());
        Stream<String> frames =
                Stream.of(root.getStackTrace()).limit(TOP_FRAMES).map(StackTraceElement::toString);
        return Stream.concat(classes, frames).toList();
    }
}
