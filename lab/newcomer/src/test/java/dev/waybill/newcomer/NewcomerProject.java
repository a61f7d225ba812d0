package dev.waybill.newcomer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.servicetestkit.DocumentedExample;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/** A Maven project in a folder of its own. Maven resolves its class path, the JDK's compiler compiles it. */
final class NewcomerProject {

    static final String DOCUMENT = "docs/getting-started.md";
    private static final Pattern EXAMPLE = Pattern.compile("@example:(\\w+)@");

    private final Path folder;

    private NewcomerProject(Path folder) {
        this.folder = folder;
    }

    /** Writes the POM; a dependency is written as group:artifact, those of Waybill without a group. */
    static NewcomerProject create(Path folder, String springBoot, List<String> dependencies) throws IOException {
        NewcomerProject project = new NewcomerProject(folder);
        project.write(
                "pom.xml",
                template("pom.xml")
                        .replace("@spring-boot@", springBoot)
                        .replace("@waybill@", System.getProperty("newcomer.waybill"))
                        .replace(
                                "@dependencies@",
                                dependencies.stream()
                                        .map(NewcomerProject::dependency)
                                        .collect(Collectors.joining("\n"))));
        return project;
    }

    private static String dependency(String name) {
        int colon = name.indexOf(':');
        String group = colon < 0 ? "dev.waybill" : name.substring(0, colon);
        return "    <dependency><groupId>" + group + "</groupId><artifactId>" + name.substring(colon + 1)
                + "</artifactId></dependency>";
    }

    /** The class by this name, with the document's examples where it names them. */
    NewcomerProject source(String template, String className) throws IOException {
        String text = EXAMPLE.matcher(template(template + ".java.txt"))
                .replaceAll(found -> Matcher.quoteReplacement(shown(found.group(1), "java")));
        write("src/main/java/newcomer/" + className + ".java", text);
        return this;
    }

    /** The configuration of these examples, as the document has it. */
    NewcomerProject configuration(String... examples) throws IOException {
        StringBuilder yaml = new StringBuilder();
        for (String example : examples) {
            yaml.append(shown(example, "yaml")).append('\n');
        }
        write("target/classes/application.yaml", yaml.toString());
        write("target/classes/schema.sql", template("schema.sql"));
        return this;
    }

    /** Compiles it, and gives a class loader that knows nothing of this test. */
    URLClassLoader build(LocalRepository repository) throws IOException, InterruptedException {
        List<String> classPath = resolve(repository);
        Path classes = Files.createDirectories(folder.resolve("target/classes"));
        List<String> command = new ArrayList<>(List.of("-parameters", "-proc:none", "-d", classes.toString()));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
        try (var sources = Files.walk(folder.resolve("src/main/java"))) {
            sources.filter(Files::isRegularFile).map(Path::toString).forEach(command::add);
        }
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new)) != 0) {
            throw new AssertionError("the document's code does not compile, see above: " + folder);
        }
        List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String each : classPath) {
            urls.add(Path.of(each).toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private List<String> resolve(LocalRepository repository) throws IOException, InterruptedException {
        Path answer = folder.resolve("class-path");
        Path log = folder.resolve("maven.log");
        ProcessBuilder maven = new ProcessBuilder(
                        Path.of(System.getProperty("newcomer.maven-home"), "bin", "mvn")
                                .toString(),
                        "-B",
                        "-Dmaven.repo.local=" + repository.folder(),
                        "org.apache.maven.plugins:maven-dependency-plugin:"
                                + System.getProperty("newcomer.dependency-plugin") + ":build-classpath",
                        "-Dmdep.outputFile=" + answer)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        maven.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        if (maven.start().waitFor() != 0) {
            throw new AssertionError("Maven does not resolve the project:\n" + Files.readString(log));
        }
        return List.of(Files.readString(answer).strip().split(File.pathSeparator, -1));
    }

    private static String shown(String example, String language) {
        try {
            return DocumentedExample.shown(DOCUMENT, example, language);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String template(String name) throws IOException {
        try (InputStream in = NewcomerProject.class.getResourceAsStream("/newcomer/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        }
    }
}
