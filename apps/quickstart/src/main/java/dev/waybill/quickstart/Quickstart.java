package dev.waybill.quickstart;

import dev.waybill.memory.MemoryBroker;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Starts every service in this JVM, on embedded parts unless {@code --real} is given: H2 files under the data folder, one broker
 * for all with its messages in a file there, guards and stock gate inside the process. What was answered survives the end of the
 * process, also a kill.
 */
public final class Quickstart implements AutoCloseable {

    private final PrintStream out;
    private final Options options;
    private final Map<Service, ConfigurableApplicationContext> running = new EnumMap<>(Service.class);

    private @Nullable FileChannel folderLock;
    private @Nullable MemoryBroker broker;

    Quickstart(PrintStream out, String... arguments) {
        this.out = out;
        this.options = new Options(arguments);
    }

    public static void main(String[] arguments) {
        try {
            Quickstart quickstart = new Quickstart(System.out, arguments);
            Runtime.getRuntime().addShutdownHook(new Thread(quickstart::close, "quickstart-stop"));
            quickstart.start();
        } catch (StartRefusedException refusal) {
            System.err.println("run: " + refusal.getMessage());
            Runtime.getRuntime().exit(1);
        } catch (RuntimeException e) {
            System.err.println("run: a service did not start: " + root(e));
            Runtime.getRuntime().exit(1);
        }
    }

    synchronized void start() {
        long begun = System.nanoTime();
        Path folder = options.folder();
        if (!options.real()) {
            StartChecks.folderIsWritable(folder);
        }
        for (Service service : Service.values()) {
            StartChecks.portIsFree(service, options.port(service));
        }
        if (!options.real()) {
            folderLock = StartChecks.takeFolder(folder);
            if (options.fresh()) { // after the check of the ports: a quickstart that runs keeps its data
                StartChecks.deleteData(folder);
            }
            broker = MemoryBroker.keptIn(StartChecks.brokerFile(folder));
        }
        for (Service service : Service.values()) {
            long before = System.nanoTime();
            out.print("starting " + service.title + " ... ");
            out.flush();
            running.put(service, start(service, folder));
            out.printf(Locale.ROOT, "ready after %.1f s%n", (System.nanoTime() - before) / 1e9);
        }
        new UsagePrinter(out, this::address, options.real())
                .print(options.real() ? "MariaDB, Redis, RocketMQ and RabbitMQ" : folder.toString());
        out.printf(Locale.ROOT, "up after %.1f s; Ctrl-C stops%n", (System.nanoTime() - begun) / 1e9);
    }

    private ConfigurableApplicationContext start(Service service, Path folder) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=" + options.port(service),
                "--server.address=127.0.0.1",
                "--waybill.data-dir=" + folder,
                "--spring.main.banner-mode=off",
                "--logging.level.org.flywaydb=error", // it warns of an H2 version that it was not tested with
                "--logging.level.org.springdoc=error", // it warns of the OpenAPI page, which is there on purpose
                "--logging.level.root=" + options.logLevel()));
        arguments.addAll(service.arguments(options.real()));
        arguments.addAll(options.settings(service));
        SpringApplicationBuilder application = service.application().web(WebApplicationType.SERVLET);
        MemoryBroker shared = broker;
        if (shared == null) {
            application.profiles("real");
        } else {
            application.initializers(context -> ((GenericApplicationContext) context)
                    .registerBean(
                            "sharedBroker",
                            MemoryBroker.class,
                            () -> shared,
                            bean -> bean.setDestroyMethodName(""))); // no service closes it for the others
        }
        return application.registerShutdownHook(false).run(arguments.toArray(String[]::new));
    }

    private String address(Service service) {
        return "http://127.0.0.1:" + options.port(service);
    }

    private static Throwable root(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause;
    }

    @Nullable ConfigurableApplicationContext running(Service service) {
        return running.get(service);
    }

    /** Stops the services in the reverse order of their start. */
    @Override
    public synchronized void close() {
        List<ConfigurableApplicationContext> contexts = new ArrayList<>(running.values());
        if (contexts.isEmpty()) {
            leaveFolder();
            return;
        }
        long begun = System.nanoTime();
        for (int i = contexts.size() - 1; i >= 0; i--) {
            contexts.get(i).close();
        }
        running.clear();
        leaveFolder();
        out.printf(Locale.ROOT, "stopped after %.1f s%n", (System.nanoTime() - begun) / 1e9);
    }

    private void leaveFolder() {
        if (broker != null) {
            broker.close();
            broker = null;
        }
        FileChannel lock = folderLock;
        folderLock = null;
        if (lock == null) {
            return;
        }
        try {
            lock.close();
        } catch (IOException e) {
            out.println("the data folder's lock was not given back: " + e.getMessage());
        }
    }
}
