package dev.waybill.duplicates;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Near copies in this repository do not become more. */
class DuplicatesTest {

    private static final Path ROOT = root();
    private static final int SHOWN = 20;

    private static DuplicateReport report;
    private static DuplicateLimits limits;

    @BeforeAll
    static void findThem() {
        report = DuplicateReport.of(new DuplicateFinder(ROOT, false));
        limits = DuplicateLimits.read(ROOT);
    }

    @Test
    void mainCodeHasNoMoreNearCopiesThanBefore() {
        atMost(limits.main(), "main code", report.main());
    }

    @Test
    void mainCodeAndTestsHaveNoMoreNearCopiesThanBefore() {
        atMost(limits.everything(), "main code and tests", report.everything());
    }

    @Test
    void modulesShareLongCodeInsteadOfCopyingIt() {
        atMost(limits.longBetweenModules(), "main code of two modules", report.longBetweenModules());
    }

    @Test
    void aLongCopyInAnotherModuleIsFoundAndBothPlacesAreNamed(@TempDir Path tree) throws IOException {
        write(tree.resolve("libs/a/src/main/java/A.java"), "A");
        write(tree.resolve("apps/b/src/main/java/B.java"), "B");
        write(tree.resolve("apps/b/target/src/main/java/Generated.java"), "Generated");

        DuplicateReport found = DuplicateReport.of(new DuplicateFinder(tree, false));

        assertThat(found.main()).hasSize(1).isEqualTo(found.longBetweenModules());
        assertThat(found.everything()).isEqualTo(found.main());
        assertThat(found.main().get(0).toString())
                .contains("apps/b/src/main/java/B.java:2-2", "libs/a/src/main/java/A.java:2-2");
    }

    private static void write(Path file, String name) throws IOException {
        String body = IntStream.range(0, 20)
                .mapToObj(i -> "        sum = sum * " + i + " + sum;\n")
                .collect(Collectors.joining());
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                "package x;\nclass " + name + " {\n    long sum(long sum) {\n" + body
                        + "        return sum;\n    }\n}\n");
    }

    private static void atMost(int limit, String where, List<Duplication> found) {
        assertThat(found.size())
                .as(
                        "near copies in %s; the largest are listed, './dev duplicates --list 1000' lists all."
                                + " Share the code instead of copying it.%n%s%n",
                        where, DuplicateReport.list(found, SHOWN))
                .isLessThanOrEqualTo(limit);
    }

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("dev"))) {
            here = here.getParent();
        }
        return here;
    }
}
