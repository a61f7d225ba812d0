package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who takes part, as its settings file says.
 *
 * @param id the settings file's name
 * @param role what it is for the tables
 * @param main its main class
 * @param classPath what its process sees
 */
record Entrant(String id, Role role, String main, String classPath, Path settings) {

    /** A limit to be held against, ourselves, or somebody else's outbox. */
    enum Role {
        LIMIT,
        WAYBILL,
        PEER
    }

    static Entrant own(String id, Role role, Class<?> main) {
        Path settings = Checkout.root().resolve("lab/bench/settings/" + id + ".properties");
        return new Entrant(id, role, main.getName(), System.getProperty("java.class.path"), settings);
    }

    /** A peer whose class path was built. */
    static Entrant peer(String id, String main) {
        Path module = Checkout.root().resolve("lab/peers/" + id);
        try {
            String jars = Files.readString(module.resolve("target/class-path")).strip();
            return new Entrant(
                    id,
                    Role.PEER,
                    main,
                    module.resolve("target/classes") + ":" + jars,
                    module.resolve("settings.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(id + " was not built", e);
        }
    }

    /** Its name with version and date, where it has them. */
    String title() {
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
