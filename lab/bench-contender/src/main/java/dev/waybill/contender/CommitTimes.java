package dev.waybill.contender;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What producers committed, and when. One thread writes each. */
final class CommitTimes {

    private final List<long[]> commits = new ArrayList<>();
    private int failures;
    private String firstFailure = "";
    private double seconds;

    static CommitTimes of(List<CommitTimes> parts, double seconds) {
        CommitTimes all = new CommitTimes();
        for (CommitTimes part : parts) {
            all.commits.addAll(part.commits);
            all.failures += part.failures;
            if (all.firstFailure.isEmpty()) {
                all.firstFailure = part.firstFailure;
            }
        }
        all.seconds = seconds;
        return all;
    }

    void committed(long number, long begin, long end) {
        commits.add(new long[] {number, begin, end});
    }

    void failed(Exception cause) {
        if (failures++ == 0) {
            firstFailure = cause.toString().replaceAll("\\s+", "_");
        }
    }

    /** Triples of number, begin and end of the transaction, by the clock that all processes of a Linux machine share. */
    void write(Path file) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (long[] commit : commits) {
                for (long value : commit) {
                    out.writeLong(value);
                }
            }
        }
    }

    String answer() {
        long[] took =
                commits.stream().mapToLong(commit -> commit[2] - commit[1]).toArray();
        Arrays.sort(took);
        return String.format(
                Locale.ROOT,
                "seconds=%.6f committed=%d failed=%d p50=%.6f p99=%.6f cause=%s",
                seconds,
                commits.size(),
                failures,
                share(took, 0.50),
                share(took, 0.99),
                firstFailure);
    }

    private static double share(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) (share * (sorted.length - 1))] / 1e6;
    }
}
