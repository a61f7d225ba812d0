package dev.waybill.servers;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;

/**
 * CPU that this process and some servers use. On a machine with other work to do it says more than the clock on the wall.
 * A server that is not ours, and every server where there is no {@code /proc}, reads as zero.
 */
public final class CpuMeter {

    /** Clock ticks of {@code /proc} in a second; 100 on every Linux that matters. */
    private static final double TICKS = 100;

    private static final int USER = 11; // counted from the process's state on
    private static final int SYSTEM = 12;
    private static final int USER_OF_ENDED_CHILDREN = 13;
    private static final int SYSTEM_OF_ENDED_CHILDREN = 14;

    private final List<ServerHandle> servers;
    private final DoubleSupplier process;

    public CpuMeter(ServerHandle... servers) {
        this(CpuMeter::ofThisProcess, servers);
    }

    private CpuMeter(DoubleSupplier process, ServerHandle... servers) {
        this.process = process;
        this.servers = List.of(servers);
    }

    /** With another process in this one's place. */
    public static CpuMeter of(long pid, ServerHandle... servers) {
        return new CpuMeter(() -> ticks(pid, USER, SYSTEM), servers);
    }

    /**
     * CPU seconds since the processes began.
     *
     * @param parts the process first, then the servers in the order given
     */
    public record Reading(List<Double> parts) {

        public Reading minus(Reading earlier) {
            double[] difference = new double[parts.size()];
            Arrays.setAll(difference, i -> parts.get(i) - earlier.parts.get(i));
            return new Reading(Arrays.stream(difference).boxed().toList());
        }

        public double sum() {
            return parts.stream().mapToDouble(Double::doubleValue).sum();
        }

        /** Milliseconds for each thousand of so many: {@code 98 = 12 + 0 + 86}. */
        public String perThousand(int units) {
            double scale = 1e6 / units;
            return String.format(Locale.ROOT, "%.0f = ", sum() * scale)
                    + parts.stream()
                            .map(part -> String.format(Locale.ROOT, "%.0f", part * scale))
                            .collect(Collectors.joining(" + "));
        }
    }

    public Reading read() {
        double[] parts = new double[servers.size() + 1];
        parts[0] = process.getAsDouble();
        for (int i = 0; i < servers.size(); i++) {
            parts[i + 1] = seconds(servers.get(i));
        }
        return new Reading(Arrays.stream(parts).boxed().toList());
    }

    private static double ofThisProcess() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }

    private static double seconds(ServerHandle server) {
        return server.pid().stream()
                .mapToDouble(pid ->
                        ticks(pid, USER, SYSTEM, USER_OF_ENDED_CHILDREN, SYSTEM_OF_ENDED_CHILDREN) + ofChildren(pid))
                .sum();
    }

    private static double ofChildren(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .mapToDouble(child -> ticks(child.pid(), USER, SYSTEM))
                .sum();
    }

    private static double ticks(long pid, int... fields) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] afterName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Arrays.stream(fields)
                            .mapToLong(field -> Long.parseLong(afterName[field]))
                            .sum()
                    / TICKS;
        } catch (IOException gone) {
            return 0; // it has just ended, or there is no /proc
        }
    }
}
