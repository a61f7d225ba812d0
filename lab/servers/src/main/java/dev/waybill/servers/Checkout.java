package dev.waybill.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The checkout that this process runs in: its files, its recorded ports and its {@code ./dev services}. */
public final class Checkout {

    private static final int PATIENCE_SECONDS = 600;
    private static final Path PORTS = Path.of(".services", "ports.env");
    private static final Path PASSWORD = Path.of(".services", "password");

    private final Path root;

    private Checkout(Path root) {
        this.root = root;
    }

    static Checkout find() {
        var start = Path.of(System.getProperty("user.dir")).toAbsolutePath();
        return Stream.iterate(start, folder -> folder != null, Path::getParent)
                .filter(folder -> Files.isExecutable(folder.resolve("dev"))
                        && Files.isExecutable(folder.resolve("scripts/services")))
                .findFirst()
                .map(Checkout::new)
                .orElseThrow(() -> new ServerUnavailableException(
                        "No ./dev is found in " + start + " or above it, so no server can be asked for."));
    }

    /** The folder that holds {@code ./dev}: the working directory or one above it. */
    public static Path root() {
        return find().root;
    }

    Address address(Server server) {
        return Address.given(server, System.getenv())
                .orElseGet(() -> Address.onLoopback(server, port(server.name() + "_PORT", server), password(server)));
    }

    /** The private servers' password, which the first start draws; only its owner can read the file. */
    private String password(Server server) {
        var file = root.resolve(PASSWORD);
        if (!Files.exists(file)) {
            services("up", server);
        }
        try {
            return Files.readString(file).strip();
        } catch (IOException unreadable) {
            throw new ServerUnavailableException("The servers' password in " + file + " cannot be read.", unreadable);
        }
    }

    /** A recorded port; the first start of the servers records them all. */
    int port(String name, Server server) {
        if (!Files.exists(root.resolve(PORTS))) {
            services("up", server);
        }
        var ports = new Properties();
        try (var reader = Files.newBufferedReader(root.resolve(PORTS))) {
            ports.load(reader);
        } catch (IOException unreadable) {
            throw new ServerUnavailableException(
                    "The recorded ports in " + root.resolve(PORTS) + " cannot be read.", unreadable);
        }
        var port = ports.getProperty(name);
        if (port == null) {
            throw new ServerUnavailableException(root.resolve(PORTS) + " does not name " + name
                    + "; run './dev services down', remove the file and try again.");
        }
        return Integer.parseInt(port.trim());
    }

    /** The process that a start recorded, first word of the file. */
    OptionalLong pid(Server server) {
        var file = root.resolve(".services").resolve(server.id()).resolve("pid");
        try {
            return Files.exists(file)
                    ? OptionalLong.of(
                            Long.parseLong(Files.readString(file).strip().split(" ", -1)[0]))
                    : OptionalLong.empty();
        } catch (IOException unreadable) {
            throw new ServerUnavailableException(file + " cannot be read.", unreadable);
        }
    }

    /** The jars of the private RocketMQ server, which no other module has on its class path. */
    String rocketMqClassPath() {
        return services(List.of("rocketmq-class-path")).strip();
    }

    void services(String verb, Server... servers) {
        var arguments = new ArrayList<>(List.of(verb));
        Stream.of(servers).map(Server::id).forEach(arguments::add);
        services(arguments);
    }

    /** Runs {@code ./dev services …} to its end and returns what it printed. */
    String services(List<String> arguments) {
        var command = new ArrayList<>(List.of(root.resolve("dev").toString(), "services"));
        command.addAll(arguments);
        var called = "'./dev services " + String.join(" ", arguments) + "'";
        try {
            // Into a file: a pipe would stay open as long as a started server kept it.
            var output = Files.createTempFile("waybill-services", ".log");
            try {
                var process = new ProcessBuilder(command)
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new ServerUnavailableException(
                            called + " did not end within " + PATIENCE_SECONDS + " s: " + Files.readString(output));
                }
                var printed = Files.readString(output);
                if (process.exitValue() != 0) {
                    throw new ServerUnavailableException(called + " failed: " + printed.strip());
                }
                return printed;
            } finally {
                Files.delete(output);
            }
        } catch (IOException broken) {
            throw new ServerUnavailableException(called + " cannot be run.", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException(called + " was interrupted.", interrupted);
        }
    }
}
