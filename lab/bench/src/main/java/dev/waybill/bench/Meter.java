package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * CPU seconds that this process and the servers of this checkout have used. On a machine that others use too it says more
 * than the clock on the wall. Where there is no {@code /proc}, or a server is not ours, that part reads as zero.
 */
final class Meter {

    /** Clock ticks of {@code /proc}; 100 on every Linux that matters. */
    private static final double TICKS = 100;

    private static final Path SERVERS = root().resolve(".services");

    private final String database;
    private final String broker;

    Meter(String database, String broker) {
        this.database = database;
        this.broker = broker;
    }

    /**
     * Seconds.
     *
     * @param own this process
     * @param database the database server, with its children
     * @param broker the broker
     */
    record Reading(double own, double database, double broker) {

        Reading minus(Reading earlier) {
            return new Reading(own - earlier.own, database - earlier.database, broker - earlier.broker);
        }

        double sum() {
            return own + database + broker;
        }

        /** Milliseconds for each thousand events. */
        String perThousand(int events) {
            double scale = 1e6 / events;
            return String.format(
                    Locale.ROOT,
                    "%.0f = %.0f + %.0f + %.0f",
                    sum() * scale,
                    own * scale,
                    database * scale,
                    broker * scale);
        }
    }

    Reading read() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Reading(system.getProcessCpuTime() / 1e9, server(database), server(broker));
    }

    private static double server(String name) {
        try {
            Path file = SERVERS.resolve(name).resolve("pid");
            if (!Files.exists(file)) {
                return 0;
            }
            long pid = Long.parseLong(Files.readString(file).strip().split(" ", -1)[0]);
            double ended = ticks(pid, List.of(11, 12, 13, 14)); // user and system, of it and of children that ended
            return ProcessHandle.of(pid).stream()
                            .flatMap(ProcessHandle::descendants)
                            .mapToDouble(child -> ticks(child.pid(), List.of(11, 12)))
                            .sum()
                    + ended;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double ticks(long pid, List<Integer> fields) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] rest = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields.stream().mapToLong(i -> Long.parseLong(rest[i])).sum() / TICKS;
        } catch (IOException e) {
            return 0; // it ended, or there is no /proc
        }
    }

    private static Path root() {
        String told = System.getenv("WAYBILL_ROOT");
        return Path.of(told == null ? "." : told);
    }
}
