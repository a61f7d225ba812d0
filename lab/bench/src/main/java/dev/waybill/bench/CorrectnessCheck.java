package dev.waybill.bench;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** What makes a repeat count: everything committed arrived, nothing else did, and every row is settled. */
final class CorrectnessCheck {

    private static final double PATIENCE_SECONDS = 30;

    private CorrectnessCheck() {}

    /** Empties the queue and compares. */
    static void arrived(RunningContender running, Set<Long> committed) {
        Arrivals arrivals = running.queue().arrivals();
        running.queue().listen();
        long begin = System.nanoTime();
        while (arrivals.count() < committed.size() && System.nanoTime() - begin < PATIENCE_SECONDS * 1e9) {
            LockSupport.parkNanos(1_000_000);
        }
        Set<Long> came = arrivals.times().keySet();
        if (!came.equals(committed)) {
            throw new NotAResultException(difference("never arrived", committed, came)
                    + difference("arrived without a commit", came, committed));
        }
    }

    static void settled(double unsettled) {
        if (unsettled != 0) {
            throw new NotAResultException(Math.round(unsettled) + " rows were never settled");
        }
    }

    private static String difference(String what, Set<Long> all, Set<Long> without) {
        Set<Long> rest = new HashSet<>(all);
        rest.removeAll(without);
        return rest.isEmpty()
                ? ""
                : rest.size() + " of " + all.size() + " " + what + ", such as "
                        + rest.stream().sorted().limit(3).map(String::valueOf).collect(Collectors.joining(", ")) + "; ";
    }
}
