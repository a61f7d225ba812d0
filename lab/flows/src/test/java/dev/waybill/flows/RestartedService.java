package dev.waybill.flows;

import dev.waybill.servers.ChildJvm;
import dev.waybill.testkit.CrashPoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A service that dies where it is told and is started again, place after place, until none is left. */
final class Supervised implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String service;
    private final List<String> arguments;
    private final List<String> fired = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean calm;
    private volatile ChildJvm process;

    Supervised(String service, List<String> settings, List<Death> deaths) {
        this.service = service;
        this.arguments = new ArrayList<>(List.of(service));
        this.arguments.addAll(settings);
        this.process = start(deaths.isEmpty() ? List.of() : deaths.get(0).jvmOptions());
        this.thread = new Thread(() -> supervise(deaths), "supervisor-" + service);
    }

    /** Where to die, and when. */
    record Death(String property, String place, int nth) {

        static Death of(Enum<?> place, int nth) {
            boolean engine = place instanceof dev.waybill.lifecycle.Checkpoints.Place;
            return new Death(engine ? CrashPoints.PROPERTY : DeadlySteps.PROPERTY, place.name(), nth);
        }

        List<String> jvmOptions() {
            return List.of("-D" + property + "=" + place + ":" + nth
                    + (property.equals(CrashPoints.PROPERTY) ? ":process" : ""));
        }
    }

    Supervised begin() {
        thread.start();
        return this;
    }

    /** Places at which it died, in order. */
    synchronized List<String> fired() {
        return List.copyOf(fired);
    }

    /** Whether it has died everywhere and runs for good. */
    boolean calm() {
        return calm;
    }

    private void supervise(List<Death> deaths) {
        for (int i = 0; i < deaths.size() && !stopping; i++) {
            int status = exitStatus(deaths.get(i));
            if (stopping) {
                return;
            }
            if (status != CrashPoints.EXIT_STATUS) {
                throw new IllegalStateException(service + " ended with " + status + " instead of dying at "
                        + deaths.get(i) + ":\n" + String.join("\n", process.lines()));
            }
            told(deaths.get(i).place());
            process = start(i + 1 < deaths.size() ? deaths.get(i + 1).jvmOptions() : List.of());
        }
        calm = true;
    }

    private int exitStatus(Death death) {
        try {
            return process.waitForExit(Duration.ofMinutes(5));
        } catch (AssertionError e) {
            throw new AssertionError(service + " never came to " + death.place() + ", after " + fired(), e);
        }
    }

    private synchronized void told(String place) {
        fired.add(place);
        System.out.printf(Locale.ROOT, "[%s] died at %s (%d)%n", service, place, fired.size());
    }

    private ChildJvm start(List<String> options) {
        ChildJvm started = ChildJvm.of(ServiceProcess.class)
                .jvmOptions(options.toArray(String[]::new))
                .arguments(arguments.toArray(String[]::new))
                .start();
        started.waitForLine(line -> line.equals("READY") || line.contains("PROCESS dies"), PATIENCE);
        return started;
    }

    @Override
    public void close() {
        stopping = true;
        process.close();
        try {
            thread.join(PATIENCE.toMillis()); // it may be starting the next one
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.close();
    }
}
