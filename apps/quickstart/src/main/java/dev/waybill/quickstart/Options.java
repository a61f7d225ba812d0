package dev.waybill.quickstart;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * What was asked for on the command line: the quickstart's own options, and {@code --SERVICE.PROPERTY=VALUE} for a setting of
 * one service.
 */
final class Options {

    private static final Set<String> OWN = Set.of("data-dir", "fresh", "real", "log");

    private final SimpleCommandLinePropertySource given;

    Options(String... arguments) {
        this.given = new SimpleCommandLinePropertySource(arguments);
        for (String name : given.getPropertyNames()) {
            refuseIfUnknown(name);
        }
        for (Service service : Service.values()) {
            port(service);
        }
    }

    private static void refuseIfUnknown(String name) {
        if (OWN.contains(name) || service(name).isPresent()) {
            return;
        }
        int dot = name.indexOf('.');
        throw new StartRefusedException(
                dot < 0
                        ? "there is no option --" + name + "; './dev run --help'"
                        : "there is no service " + name.substring(0, dot) + " for --" + name
                                + ": a setting of a service is --SERVICE.PROPERTY=VALUE, and the services are "
                                + Service.titles());
    }

    private static Optional<Service> service(String name) {
        int dot = name.indexOf('.');
        return dot <= 0 || dot == name.length() - 1 ? Optional.empty() : Service.named(name.substring(0, dot));
    }

    boolean real() {
        return given.containsProperty("real");
    }

    boolean fresh() {
        return given.containsProperty("fresh");
    }

    Path folder() {
        return Path.of(text("data-dir", ".waybill")).toAbsolutePath();
    }

    String logLevel() {
        return text("log", "warn");
    }

    int port(Service service) {
        String port = text(service.portProperty(), String.valueOf(service.standardPort));
        try {
            return Integer.parseInt(port);
        } catch (NumberFormatException e) {
            throw new StartRefusedException("--" + service.portProperty() + " needs a number, not '" + port + "'");
        }
    }

    /** The service's settings as its own command line would have them. */
    List<String> settings(Service service) {
        List<String> settings = new ArrayList<>();
        String prefix = service.title + ".";
        for (String name : given.getPropertyNames()) {
            if (name.startsWith(prefix) && !name.equals(service.portProperty())) {
                settings.add("--" + name.substring(prefix.length()) + "=" + text(name, ""));
            }
        }
        return settings;
    }

    private String text(String name, String otherwise) {
        String value = given.getProperty(name);
        return value == null ? otherwise : value;
    }
}
