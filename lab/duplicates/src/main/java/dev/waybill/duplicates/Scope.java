package dev.waybill.duplicates;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Which Java files are compared with each other. */
enum Scope {
    /** What libraries, applications and labs consist of, without their tests. */
    MAIN("(libs|apps|lab)/.+/src/main/java/.+[.]java"),
    /** Main code and tests, and the examples too. */
    EVERYTHING("(libs|apps|lab|examples)/.+/src/(main|test)/java/.+[.]java");

    private final String paths;

    Scope(String paths) {
        this.paths = paths;
    }

    /** Build output is left out, because it holds generated code. */
    List<Path> files(Path root) {
        return Stream.of("libs", "apps", "lab", "examples")
                .map(root::resolve)
                .filter(Files::isDirectory)
                .flatMap(Scope::walk)
                .filter(file -> root.relativize(file).toString().matches(paths))
                .filter(file -> !file.toString().contains("/target/"))
                .sorted()
                .toList();
    }

    private static Stream<Path> walk(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
