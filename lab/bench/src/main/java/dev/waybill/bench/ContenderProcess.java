package dev.waybill.bench;

import dev.waybill.servers.Checkout;
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

/** A contender's process, which takes commands as lines on its standard input. When this process dies, that input ends and so does it. */
final class ContenderProcess implements AutoCloseable {

    private static final String ANSWER = "= ";
    private static final String END = "end of output";
    private static final Duration START = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    /** Holds the processes' logs and the lists of what producers committed. */
    static final Path FOLDER = Checkout.root().resolve("lab/bench/target/runs");

    private final ContenderSettings contender;
    private final Process process;
    private final Path log;
    private final BufferedWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    ContenderProcess(ContenderSettings contender, Properties config) {
        this.contender = contender;
        try {
            log = FOLDER.resolve(contender.fileName() + ".log");
            Path file = Files.createTempFile(FOLDER, contender.fileName(), ".connect");
            try (var writer = Files.newBufferedWriter(file)) {
                config.store(writer, null);
            }
            process = new ProcessBuilder(command(file))
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = process.outputWriter();
        Thread reader = new Thread(this::read, "contender-" + contender.id());
        reader.setDaemon(true);
        reader.start();
        try {
            answer("start", START);
        } catch (NotAResultException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Deletes the logs and lists of the last run. */
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

    private List<String> command(Path config) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms512m", "-Xmx1g", "-XX:+UseParallelGC"));
        command.addAll(List.of("-cp", contender.classPath(), contender.main()));
        command.addAll(List.of(contender.settings().toString(), config.toString()));
        return command;
    }

    long pid() {
        return process.pid();
    }

    /** Sends a command and waits for its answer, which is a list of names and values. */
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

    /** Asks the process to end, and kills it when it does not. */
    @Override
    public void close() {
        try {
            commands.write("quit\n");
            commands.close();
            if (!process.waitFor(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly(); // its input is closed, so it has ended or is about to
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
