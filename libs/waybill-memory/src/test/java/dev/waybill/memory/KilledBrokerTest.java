package dev.waybill.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at seeded moments: what was confirmed is there or was acknowledged, and what was acknowledged never comes back. */
class KilledBrokerTest {

    private static final int ROUNDS = 10;

    private final Set<String> sent = new HashSet<>();
    private final Set<String> taken = new HashSet<>();
    private final Set<String> done = new HashSet<>();

    @Test
    void nothingThatWasConfirmedIsLostAndNothingThatWasAcknowledgedComesBack(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("messages");
        Random moments = new Random(17);
        for (int round = 0; round < ROUNDS; round++) {
            runAndKill(file, 200 + moments.nextInt(4_000));
            Set<String> there = new HashSet<>();
            try (MemoryBroker broker = MarketTopology.declare(MemoryBroker.keptIn(file), Duration.ofMinutes(15))) {
                for (String source : List.of(MarketTopology.FULFILMENT, JournalWriter.TOPIC)) {
                    broker.source(source, JournalWriter.GROUP)
                            .take(Integer.MAX_VALUE / 1_000, stored -> true, 1)
                            .forEach(copy -> there.add(String.valueOf(copy.messageId())));
                }
            }
            Set<String> back = new HashSet<>(there);
            back.retainAll(done); // AssertJ would compare each with each
            assertThat(back).as("acknowledged and back, round %s", round).isEmpty();
            Set<String> gone = new HashSet<>(sent);
            gone.removeAll(done);
            gone.removeAll(there);
            // The process may end between an acknowledgement and its line.
            Set<String> lost = new HashSet<>(gone);
            lost.removeAll(taken);
            assertThat(lost).as("confirmed and lost, round %s", round).isEmpty();
            done.addAll(gone);
        }
        assertThat(sent).hasSizeGreaterThan(ROUNDS * 100);
        assertThat(done).hasSizeGreaterThan(ROUNDS * 100);
    }

    private void runAndKill(Path file, int lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        JournalWriter.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (int i = 0; i < lines; i++) {
                hear(output.readLine());
            }
            process.toHandle().destroyForcibly(); // not the process's own, which closes the pipe
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                hear(line);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private void hear(@Nullable String line) {
        if (line != null && line.matches("(sent|take|done) [0-9a-f-]{36}")) {
            (line.startsWith("sent") ? sent : line.startsWith("take") ? taken : done).add(line.substring(5));
        }
    }
}
