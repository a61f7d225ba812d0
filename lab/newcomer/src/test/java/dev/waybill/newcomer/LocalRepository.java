package dev.waybill.newcomer;

import dev.waybill.servicetestkit.ProjectFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * Maven's local repository as it is, by links, with the libraries of this build in it. Installing them into the real one would
 * let other builds on the machine find them.
 */
record LocalRepository(Path folder) {

    private static final String VERSION = System.getProperty("newcomer.waybill");

    static LocalRepository in(Path folder) throws IOException {
        Path everything = Path.of(System.getProperty("newcomer.local-repository"));
        link(everything, folder, "dev");
        link(everything.resolve("dev"), folder.resolve("dev"), "waybill");
        LocalRepository repository = new LocalRepository(folder);
        repository.installPom("waybill-parent", ProjectFiles.file("pom.xml"));
        for (Path library : children(ProjectFiles.file("libs"))) {
            if (Files.exists(library.resolve("pom.xml"))) {
                repository.install(library);
            }
        }
        return repository;
    }

    private void install(Path library) throws IOException {
        String artifact = library.getFileName().toString();
        Path installed = installPom(artifact, library.resolve("pom.xml"));
        Path classes = library.resolve("target/classes");
        if (Files.exists(classes)) {
            try (OutputStream out = Files.newOutputStream(installed.resolve(artifact + "-" + VERSION + ".jar"));
                    JarOutputStream jar = new JarOutputStream(out);
                    Stream<Path> files = Files.walk(classes)) {
                files.filter(Files::isRegularFile).forEach(file -> add(jar, classes, file));
            }
        }
    }

    private Path installPom(String artifact, Path pom) throws IOException {
        Path place = Files.createDirectories(
                folder.resolve("dev/waybill").resolve(artifact).resolve(VERSION));
        Files.copy(pom, place.resolve(artifact + "-" + VERSION + ".pom"));
        return place;
    }

    private static void add(JarOutputStream jar, Path classes, Path file) {
        try {
            jar.putNextEntry(new JarEntry(classes.relativize(file).toString()));
            Files.copy(file, jar);
            jar.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void link(Path from, Path to, String exceptFor) throws IOException {
        Files.createDirectories(to);
        if (Files.isDirectory(from)) {
            for (Path each : children(from)) {
                String name = each.getFileName().toString();
                if (!name.equals(exceptFor)) {
                    Files.createSymbolicLink(to.resolve(name), each);
                }
            }
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList();
        }
    }
}
