package dev.waybill.servicetestkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Files of the repository, found from any module's folder. */
public final class ProjectFiles {

    private ProjectFiles() {}

    /** A file by its path from the repository's root, which is the folder that holds {@code ./dev}. */
    public static Path file(String path) {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(root.resolve("dev"))) {
            root = Objects.requireNonNull(root.getParent(), "no folder above holds ./dev");
        }
        return root.resolve(path);
    }
}
