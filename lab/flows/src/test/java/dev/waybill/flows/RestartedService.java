package dev.waybill.flows;

import dev.waybill.servers.ChildJvm;
import dev.waybill.servicetestkit.ServiceSettings;
import dev.waybill.testkit.CrashPoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A service's process that crashes at one place after the other and is started again each time, until none is left. */
final class RestartedService implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String service;
    private final List<String> arguments;
    private final List<String> crashed = new ArrayList<>();
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean crashedEverywhere;
    private volatile ChildJvm process;

    RestartedService(String service, ServiceSettings settings, List<Crash> crashes) {
        this.service = service;
        this.arguments = new ArrayList<>(List.of(service));
        this.arguments.addAll(List.of(settings.arguments()));
        this.process = start(crashes.isEmpty() ? List.of() : crashes.get(0).jvmOptions());
        this.thread = new Thread(() -> restartAfter(crashes), "restarts-" + service);
    }

    /** Where to crash, and the how many-th time that the place is reached. */
    record Crash(String property, String place, int nth) {

        static Crash of(Enum<?> place, int nth) {
            boolean engine = place instanceof dev.waybill.lifecycle.Checkpoints.Place;
            return new Crash(engine ? CrashPoints.PROPERTY : CrashingSteps.PROPERTY, place.name(), nth);
        }

        List<String> jvmOptions() {
            return List.of("-D" + property + "=" + place + ":" + nth
                    + (property.equals(CrashPoints.PROPERTY) ? ":process" : ""));
        }
    }

    RestartedService begin() {
        thread.start();
        return this;
    }

    /** Places at which it crashed, in order. */
    synchronized List<String> crashed() {
        return List.copyOf(crashed);
    }

    /** Whether it has crashed at every place and now runs on. */
    boolean crashedEverywhere() {
        return crashedEverywhere;
    }

    private void restartAfter(List<Crash> crashes) {
        for (int i = 0; i < crashes.size() && !stopping; i++) {
            int status = exitStatus(crashes.get(i));
            if (stopping) {
                return;
            }
            if (status != CrashPoints.EXIT_STATUS) {
                throw new IllegalStateException(service + " ended with " + status + " instead of crashing at "
                        + crashes.get(i) + ":\n" + String.join("\n", process.lines()));
            }
            record(crashes.get(i).place());
            process = start(i + 1 < crashes.size() ? crashes.get(i + 1).jvmOptions() : List.of());
        }
        crashedEverywhere = true;
    }

    private int exitStatus(Crash crash) {
        try {
            return process.waitForExit(Duration.ofMinutes(5));
        } catch (AssertionError e) {
            throw new AssertionError(service + " never reached " + crash.place() + ", after " + crashed(), e);
        }
    }

    private synchronized void record(String place) {
        crashed.add(place);
        System.out.printf(Locale.ROOT, "[%s] crashed at %s (%d)%n", service, place, crashed.size());
    }

    private ChildJvm start(List<String> options) {
        ChildJvm started = ChildJvm.of(ServiceProcess.class)
                .jvmOptions(options.toArray(String[]::new))
                .arguments(arguments.toArray(String[]::new))
                .start();
        started.waitForLine(
                line -> line.equals("READY") || line.contains("PROCESS dies") || line.contains(CrashingSteps.HALTED),
                PATIENCE);
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
