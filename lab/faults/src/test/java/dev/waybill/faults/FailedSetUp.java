package dev.waybill.faults;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a test's set-up has begun. If the set-up fails, nobody else would close it, and it would go on beside later tests. */
final class FailedSetUp {

    private final Deque<AutoCloseable> begun = new ArrayDeque<>();

    <T extends AutoCloseable> T closeLater(T part) {
        begun.push(part);
        return part;
    }

    /** Closes everything, the last one first. */
    void close(Throwable failure) {
        for (AutoCloseable part : begun) {
            try {
                part.close();
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
        }
    }
}
