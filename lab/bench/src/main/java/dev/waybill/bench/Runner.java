package dev.waybill.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A contender's process, asked by lines. It ends with this one: its input ends then. */
final class Runner implements AutoCloseable {

    private static final String ANSWER = "= ";
    private static final String END = "end of output";
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration FAREWELL = Duration.ofSeconds(20);

    /** For logs and for what producers committed. */
    static final Path FOLDER = Checkout.root().resolve("lab/bench/target/runs");

    private final Entrant entrant;
    private final Process process;
    private final Path log;
    private final BufferedWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    Runner(Entrant entrant, Properties venue) {
        this.entrant = entrant;
        try {
            log = FOLDER.resolve(entrant.fileName() + ".log");
            Path file = Files.createTempFile(FOLDER, entrant.fileName(), ".venue");
            try (var writer = Files.newBufferedWriter(file)) {
                venue.store(writer, null);
            }
            process = new ProcessBuilder(command(file))
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = process.outputWriter();
        Thread reader = new Thread(this::read, "runner-" + entrant.id());
        reader.setDaemon(true);
        reader.start();
        try {
            answer("start", START);
        } catch (NotAResultException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** What contenders said and committed in the last run. */
    static void forgetEarlierRuns() {
        try {
            Files.createDirectories(FOLDER);
            try (var files = Files.list(FOLDER)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> command(Path venue) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms512m", "-Xmx1g", "-XX:+UseParallelGC"));
        command.addAll(List.of("-cp", entrant.classPath(), entrant.main()));
        command.addAll(List.of(entrant.settings().toString(), venue.toString()));
        return command;
    }

    long pid() {
        return process.pid();
    }

    /** Sends a command and waits for its answer: numbers by name. */
    Map<String, String> ask(String command, Duration patience) {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new NotAResultException("ended before '" + command + "', see " + log);
        }
        return answer(command, patience);
    }

    private Map<String, String> answer(String command, Duration patience) {
        try {
            String line = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null || line.equals(END)) {
                throw new NotAResultException(
                        (line == null ? "no answer within " + patience.toSeconds() + " s" : "the process ended")
                                + " to '" + command + "', see "
                                + Checkout.root().relativize(log));
            }
            Map<String, String> words = new HashMap<>();
            for (String word : line.split(" ", -1)) {
                int equals = word.indexOf('=');
                words.put(equals < 0 ? word : word.substring(0, equals), word.substring(equals + 1));
            }
            return words;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader();
                var copy = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.write(line + "\n");
                copy.flush();
                if (line.startsWith(ANSWER)) {
                    answers.add(line.substring(ANSWER.length()));
                }
            }
        } catch (IOException e) {
            answers.add(END);
            return;
        }
        answers.add(END);
    }

    /** Asks it to end; a process that does not is killed. */
    @Override
    public void close() {
        try {
            commands.write("quit\n");
            commands.close();
            if (!process.waitFor(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly(); // it has ended, or will not listen
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
