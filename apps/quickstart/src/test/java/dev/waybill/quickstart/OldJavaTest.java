package dev.waybill.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts under a {@code java} that is too old, or none: one sentence, before anything is built. */
class OldJavaTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    private Path path;

    private record Run(int status, String said) {}

    @ParameterizedTest
    @CsvSource({
        "run, 'openjdk version \"11.0.22\" 2024-01-16', 11",
        "run, 'openjdk version \"16-ea\" 2021-03-16', 16",
        "run, 'java version \"1.8.0_392\"', 8",
        "load, 'openjdk version \"11.0.22\" 2024-01-16', 11",
    })
    void anOldJavaIsOneSentence(String script, String banner, String version) throws Exception {
        install("java", "echo '" + banner + "' >&2");

        Run run = script(script, path + File.pathSeparator + System.getenv("PATH"));

        assertThat(run.said)
                .isEqualTo(script + ": java is version " + version + ", Waybill needs 17 or newer; set JAVA_HOME\n");
        assertThat(run.status).isEqualTo(1);
    }

    @Test
    void aJavaThatSaysNothingSensibleIsNone() throws Exception {
        install("java", "echo 'No Java runtime present' >&2; exit 1");

        Run run = script("run", path + File.pathSeparator + System.getenv("PATH"));

        assertThat(run.said).isEqualTo("run: there is no java; install a JDK 17 or newer, or set JAVA_HOME\n");
        assertThat(run.status).isEqualTo(1);
    }

    private void install(String name, String line) throws IOException {
        Path file = Files.writeString(path.resolve(name), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Run script(String name, String path) throws IOException, InterruptedException {
        String[] command = name.equals("load") ? new String[] {"./dev", name, "orders"} : new String[] {"./dev", name};
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true);
        builder.environment().put("PATH", path);
        builder.environment().remove("JAVA_HOME");
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return new Run(process.exitValue(), said);
        } finally {
            process.destroy();
        }
    }
}
