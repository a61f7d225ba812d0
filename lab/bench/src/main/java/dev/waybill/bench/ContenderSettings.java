package dev.waybill.bench;

import dev.waybill.servers.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One contender, as its settings file describes it.
 *
 * @param id the settings file's name
 * @param role whether it is a limit, Waybill or a peer
 * @param main its main class
 * @param classPath what its process sees
 * @param overrides settings that a sweep tries in place of the file's
 */
record ContenderSettings(
        String id, Role role, String main, String classPath, Path settings, Map<String, String> overrides) {

    /** A limit that Waybill is compared with, Waybill itself, or another project's outbox. */
    enum Role {
        LIMIT,
        WAYBILL,
        PEER
    }

    private static final String SWEEP = "sweep.";

    static ContenderSettings own(String id, Role role, Class<?> main) {
        Path settings = Checkout.root().resolve("lab/bench/settings/" + id + ".properties");
        return new ContenderSettings(
                id, role, main.getName(), System.getProperty("java.class.path"), settings, Map.of());
    }

    /** A peer whose class path was built. */
    static ContenderSettings peer(String id, String main) {
        Path module = Checkout.root().resolve("lab/peers/" + id);
        try {
            String jars = Files.readString(module.resolve("target/class-path")).strip();
            return new ContenderSettings(
                    id,
                    Role.PEER,
                    main,
                    module.resolve("target/classes") + ":" + jars,
                    module.resolve("settings.properties"),
                    Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(id + " was not built", e);
        }
    }

    /** The same with one setting changed. */
    ContenderSettings with(String setting, String value) {
        return new ContenderSettings(
                id + " " + setting + "=" + value, role, main, classPath, settings, Map.of(setting, value));
    }

    /** What its settings file wants tried, such as {@code sweep.threads=4,8,16}: one contender for each value. */
    List<ContenderSettings> variants() {
        Properties told = properties();
        return told.stringPropertyNames().stream()
                .filter(name -> name.startsWith(SWEEP))
                .sorted()
                .flatMap(name -> Arrays.stream(told.getProperty(name).split(",", -1))
                        .map(value -> with(name.substring(SWEEP.length()), value)))
                .toList();
    }

    /** Its name with version and date, where it has them. */
    String title() {
        if (!overrides.isEmpty()) {
            return id;
        }
        Properties told = properties();
        String name = told.getProperty("title", id);
        String jar = told.getProperty("jar");
        if (jar == null) {
            return name;
        }
        Matcher version = Pattern.compile("/" + Pattern.quote(jar) + "-([0-9][^/]*)\\.jar")
                .matcher(classPath);
        if (!version.find()) {
            return name;
        }
        String released = told.getProperty("released." + version.group(1), "date unknown");
        return name + " " + version.group(1) + " (" + released + ")";
    }

    String fileName() {
        return id.replaceAll("[^a-z0-9.-]", "_");
    }

    String link() {
        return properties().getProperty("documentation", "");
    }

    private Properties properties() {
        Properties told = new Properties();
        try (var reader = Files.newBufferedReader(settings)) {
            told.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return told;
    }
}
