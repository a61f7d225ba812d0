package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * CPU seconds that a contender's process and the servers of this checkout have used. On a machine that others use too it says more
 * than the clock on the wall. Where there is no {@code /proc}, or a server is not ours, that part reads as zero.
 */
final class Meter {

    /** Clock ticks of {@code /proc}; 100 on every Linux that matters. */
    private static final double TICKS = 100;

    private static final Path SERVERS = Checkout.root().resolve(".services");

    private final long process;
    private final String database;
    private final String broker;

    Meter(long process, String database, String broker) {
        this.process = process;
        this.database = database;
        this.broker = broker;
    }

    /**
     * Seconds.
     *
     * @param own the contender
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
    }

    Reading read() {
        return new Reading(ticks(process, List.of(11, 12)), server(database), server(broker));
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
}
