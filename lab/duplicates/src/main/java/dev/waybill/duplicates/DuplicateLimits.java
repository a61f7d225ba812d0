package dev.waybill.duplicates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** How many near copies the build puts up with. Lower the numbers in the file whenever copies have gone. */
record DuplicateLimits(int main, int everything, int longBetweenModules) {

    /** A copy in another module is too long from this many lines on. */
    static final int LONG_LINES = 16;

    private static final String FILE = "lab/duplicates/limits.properties";

    static DuplicateLimits read(Path root) {
        Properties limits = new Properties();
        try (var reader = Files.newBufferedReader(root.resolve(FILE))) {
            limits.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new DuplicateLimits(
                number(limits, "main"), number(limits, "everything"), number(limits, "long-between-modules"));
    }

    private static int number(Properties limits, String key) {
        String value = limits.getProperty(key);
        if (value == null) {
            throw new IllegalStateException(FILE + " has no " + key);
        }
        return Integer.parseInt(value.strip());
    }
}
