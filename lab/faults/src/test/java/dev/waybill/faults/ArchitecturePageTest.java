package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/architecture.md says what the code is: every class of an adapter has a role or is named as the adapter's own part,
 * a name in two libraries means the same in both, and both languages name the same files.
 */
class ArchitecturePageTest {

    private static final Pattern NAME = Pattern.compile("`(\\w+)`");
    private static final Pattern JAVA_LINK = Pattern.compile("\\]\\(([^)]+\\.java)\\)");
    private static final List<String> ADAPTERS = List.of("memory", "rabbitmq", "rocketmq");
    private static final Path ROOT = root();

    @Test
    void everyClassInTheTableOfRolesIsInItsAdapter() throws IOException {
        List<String> missing = new ArrayList<>();
        for (List<String> row : rows("roles")) {
            for (int i = 0; i < ADAPTERS.size(); i++) {
                Set<String> types = typesOf("waybill-" + ADAPTERS.get(i));
                names(row.get(i + 1)).stream()
                        .filter(name -> !types.contains(name))
                        .forEach(missing::add);
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyClassOfAnAdapterHasARoleOrIsNamedAsItsOwnPart() throws IOException {
        for (int i = 0; i < ADAPTERS.size(); i++) {
            Set<String> named = new TreeSet<>(names(rows("own parts").get(i).get(1)));
            for (List<String> row : rows("roles")) {
                named.addAll(names(row.get(i + 1)));
            }
            assertThat(named).as(ADAPTERS.get(i)).isEqualTo(typesOf("waybill-" + ADAPTERS.get(i)));
        }
    }

    @Test
    void aNameInTwoLibrariesIsOneRole() throws IOException {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (Path library : libraries()) {
            for (String type : typesOf(library.getFileName().toString())) {
                modules.computeIfAbsent(type, name -> new TreeSet<>())
                        .add(library.getFileName().toString().replace("waybill-", ""));
            }
        }
        List<String> ambiguous = new ArrayList<>();
        modules.forEach((type, homes) -> {
            if (homes.size() > 1 && !sameRole(type, homes)) {
                ambiguous.add(type + " in " + homes);
            }
        });
        assertThat(ambiguous).isEmpty();
    }

    @Test
    void everyTypeThatCarriesTheEventExists() throws IOException {
        String text = page("architecture.md");
        Matcher way = Pattern.compile("\\| (out|in), (\\d+) \\| (.*) \\|").matcher(text);
        Set<String> all = new HashSet<>();
        for (Path library : libraries()) {
            all.addAll(typesOf(library.getFileName().toString()));
        }
        int ways = 0;
        while (way.find()) {
            List<String> types = names(way.group(3));
            assertThat(types).hasSize(Integer.parseInt(way.group(2))).allMatch(all::contains);
            ways++;
        }
        assertThat(ways).isEqualTo(2);
    }

    @Test
    void bothLanguagesNameTheSameFilesAndRoles() throws IOException {
        String english = page("architecture.md");
        String chinese = page("architecture.zh-CN.md");

        assertThat(links(chinese)).isEqualTo(links(english)).hasSizeGreaterThan(20);
        assertThat(names(chinese)).isEqualTo(names(english));
        assertThat(chinese.split("\n\\| ", -1)).hasSameSizeAs(english.split("\n\\| ", -1));
    }

    @Test
    void theReadmesMapHasOneRowForEachModule() throws IOException {
        Matcher modules =
                Pattern.compile("<module>([^<]+)</module>").matcher(Files.readString(ROOT.resolve("pom.xml")));
        for (String readme : List.of("README.md", "README.zh-CN.md")) {
            String text = Files.readString(ROOT.resolve(readme));
            modules.reset();
            while (modules.find()) {
                String module = modules.group(1).startsWith("lab/peers/") ? "lab/peers" : modules.group(1);
                assertThat(text.lines().filter(line -> line.startsWith("| `" + module + "` |")))
                        .as(readme + " " + module)
                        .hasSize(1);
            }
        }
    }

    private static boolean sameRole(String type, Set<String> homes) {
        try {
            for (List<String> row : rows("roles")) {
                Set<String> here = new TreeSet<>();
                for (int i = 0; i < ADAPTERS.size(); i++) {
                    if (names(row.get(i + 1)).contains(type)) {
                        here.add(ADAPTERS.get(i));
                    }
                }
                if (here.equals(homes)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The cells of a marked table, without its two head lines. */
    private static List<List<String>> rows(String table) throws IOException {
        String text = page("architecture.md");
        String marked = text.substring(text.indexOf("<!-- " + table + " -->"), text.indexOf("<!-- /" + table + " -->"));
        return marked.lines()
                .filter(line -> line.startsWith("| "))
                .skip(2)
                .map(line -> Stream.of(line.substring(1).split("\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static List<String> names(String text) {
        return NAME.matcher(text).results().map(result -> result.group(1)).toList();
    }

    private static List<String> links(String text) {
        return JAVA_LINK.matcher(text).results().map(result -> result.group(1)).toList();
    }

    private static Set<String> typesOf(String library) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("libs/" + library + "/src/main/java"))) {
            Set<String> types = new TreeSet<>();
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java") && !name.equals("package-info.java"))
                    .forEach(name -> types.add(name.substring(0, name.length() - ".java".length())));
            return types;
        }
    }

    private static List<Path> libraries() throws IOException {
        try (Stream<Path> libraries = Files.list(ROOT.resolve("libs"))) {
            return libraries
                    .filter(path -> Files.exists(path.resolve("src/main/java")))
                    .toList();
        }
    }

    private static String page(String name) throws IOException {
        return Files.readString(ROOT.resolve("docs").resolve(name));
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("dev"))) {
            here = here.getParent();
        }
        return here;
    }
}
