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
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * Starts every service in this JVM, on embedded parts unless {@code --real} is given: H2 files under the data folder, one broker
 * for all, guards and stock gate inside the process.
 */
public final class Quickstart implements AutoCloseable {

    private final PrintStream out;
    private final SimpleCommandLinePropertySource options;
    private final boolean real;
    private final Map<Service, ConfigurableApplicationContext> running = new EnumMap<>(Service.class);

    private @Nullable FileChannel folderLock;

    Quickstart(PrintStream out, String... arguments) {
        this.out = out;
        this.options = new SimpleCommandLinePropertySource(arguments);
        this.real = options.containsProperty("real");
    }

    public static void main(String[] arguments) {
        Quickstart quickstart = new Quickstart(System.out, arguments);
        Runtime.getRuntime().addShutdownHook(new Thread(quickstart::close, "quickstart-stop"));
        try {
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
        Path folder = Path.of(option("data-dir", ".waybill")).toAbsolutePath();
        if (!real) {
            StartChecks.folderIsWritable(folder);
        }
        for (Service service : Service.values()) {
            StartChecks.portIsFree(service, port(service));
        }
        if (!real) {
            folderLock = StartChecks.takeFolder(folder);
        }
        if (options.containsProperty("fresh")) { // after the check of the ports: a quickstart that runs keeps its data
            StartChecks.deleteData(folder);
        }
        MemoryBroker broker = new MemoryBroker();
        for (Service service : Service.values()) {
            long before = System.nanoTime();
            out.print("starting " + service.title + " ... ");
            out.flush();
            running.put(service, start(service, folder, broker));
            out.printf(Locale.ROOT, "ready after %.1f s%n", (System.nanoTime() - before) / 1e9);
        }
        if (!real) {
            int again = UnconsumedEventResender.sendAgain(running);
            if (again > 0) {
                out.println(again + " events of the last run were sent and not consumed: they are sent again");
            }
        }
        UsagePrinter.print(out, this::address, real ? "MariaDB, Redis, RocketMQ and RabbitMQ" : folder.toString());
        out.printf(Locale.ROOT, "up after %.1f s; Ctrl-C stops%n", (System.nanoTime() - begun) / 1e9);
    }

    private ConfigurableApplicationContext start(Service service, Path folder, MemoryBroker broker) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=" + port(service),
                "--server.address=127.0.0.1",
                "--waybill.data-dir=" + folder,
                "--spring.main.banner-mode=off",
                "--logging.level.org.flywaydb=error", // it warns of an H2 version that it was not tested with
                "--logging.level.org.springdoc=error", // it warns of the OpenAPI page, which is there on purpose
                "--logging.level.root=" + option("log", "warn")));
        SpringApplicationBuilder application = service.application().web(WebApplicationType.SERVLET);
        if (real) {
            application.profiles("real");
        } else {
            application.initializers(context -> ((GenericApplicationContext) context)
                    .registerBean("sharedBroker", MemoryBroker.class, () -> broker));
        }
        return application.registerShutdownHook(false).run(arguments.toArray(String[]::new));
    }

    int port(Service service) {
        return Integer.parseInt(option(service.portProperty(), String.valueOf(service.standardPort)));
    }

    private String address(Service service) {
        return "http://127.0.0.1:" + port(service);
    }

    private String option(String name, String otherwise) {
        String value = options.getProperty(name);
        return value == null ? otherwise : value;
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
