package dev.waybill.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * How long a fault lasts and how much flows meanwhile: at full length in {@code ./dev faults}, shortened in {@code ./dev test}.
 * What a scenario measured goes to the run's output, and into the table at the end of {@code ./dev faults}.
 */
public final class Scenario {

    /** Set by {@code ./dev faults} to the file that collects the figures; its presence means full length. */
    private static final String FIGURES = "WAYBILL_FAULTS_FIGURES";

    private Scenario() {}

    /** The first in {@code ./dev faults}, the second in {@code ./dev test}. */
    public static int length(int whole, int shortened) {
        return isWhole() ? whole : shortened;
    }

    public static boolean isWhole() {
        return System.getenv(FIGURES) != null;
    }

    /** A figure for whoever reads the run. */
    public static void print(String figure) {
        System.out.println(figure);
        String file = System.getenv(FIGURES);
        if (file != null) {
            write(Path.of(file), test() + '\t' + figure.replaceAll("\\s+", " ") + '\n');
        }
    }

    private static String test() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(frame -> frame.getClassName().replaceAll(".*\\.|\\$.*", ""))
                        .filter(name -> name.endsWith("Test"))
                        .findFirst()
                        .orElse("-"));
    }

    private static void write(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
