package dev.waybill.bench;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What producers committed: the end of each transaction by its event's number. */
record Commits(Map<Long, Long> ends, long begin) {

    static Set<Long> range(long first, long count) {
        return LongStream.range(first, first + count).boxed().collect(Collectors.toSet());
    }

    static Commits read(Path file) {
        Map<Long, Long> ends = new HashMap<>();
        long begin = Long.MAX_VALUE;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            for (long left = Files.size(file) / (3 * Long.BYTES); left > 0; left--) {
                long number = in.readLong();
                begin = Math.min(begin, in.readLong());
                ends.put(number, in.readLong());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Commits(ends, begin);
    }

    long lastEnd() {
        return ends.values().stream().mapToLong(Long::longValue).max().orElse(begin);
    }
}
