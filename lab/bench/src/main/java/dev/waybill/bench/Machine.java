package dev.waybill.bench;

import dev.waybill.servers.Checkout;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Where and when the run took place, and how busy the machine was with other things. */
record Machine(
        String processor, int cores, long memoryGigabytes, String system, String java, Instant when, double load) {

    static Machine here() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Machine(
                field("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                Math.round(system.getTotalMemorySize() / 1e9),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                system.getSystemLoadAverage());
    }

    private static String field(String file, String name) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown processor");
        } catch (IOException e) {
            return "unknown processor"; // not Linux
        }
    }

    /** Fails when there is less room than the run may need: a full disk looks like a slow database. */
    static void checkDisk(double gigabytes) {
        double free = Checkout.root().toFile().getUsableSpace() / 1e9;
        if (free < gigabytes) {
            throw new TooSmallException(String.format(
                    Locale.ROOT,
                    "needs %.0f GB of disk, %.1f GB are free; binary logs of earlier runs go with .services/mariadb"
                            + " while the servers are down",
                    gigabytes,
                    free));
        }
    }

    /** This machine cannot take the run. */
    static final class TooSmallException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooSmallException(String message) {
            super(message);
        }
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "%s, %d cores, %d GB, %s, %s; %s; load average before the run %.1f",
                processor,
                cores,
                memoryGigabytes,
                system,
                java,
                when,
                load);
    }
}
