package dev.waybill.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A main class in a JVM of its own, with this JVM's class path or another, so that a test can kill it. Standard output and standard
 * error are read line by line into one list. The child ends when it is closed, when this JVM exits, and when this JVM is
 * killed.
 */
public final class ChildJvm implements AutoCloseable {

    private static final Duration LAST_WORDS = Duration.ofSeconds(10);
    private static final Duration PAUSE_POLL = Duration.ofMillis(1);

    /** Children live for seconds: what the thorough compiler would save them, it costs the tests beside them. */
    private static final List<String> START_QUICKLY =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

    private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

    static {
        // Only for the orderly exit of this JVM; ChildMain sees to the disorderly one.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> LIVE.forEach(Process::destroyForcibly), "end-child-jvms"));
    }

    private final Process process;
    private final Thread reader;
    private final List<String> lines = new ArrayList<>();
    private int consumed;
    private boolean ended;

    private ChildJvm(Process process, String name) {
        this.process = process;
        this.reader = new Thread(this::read, "child-" + name + "-" + process.pid());
        this.reader.setDaemon(true);
        LIVE.add(process);
        this.reader.start();
    }

    public static Builder of(Class<?> main) {
        return new Builder(main);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Everything printed so far. */
    public List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** The next line that contains this text, after the one that the previous wait returned. */
    public String waitForLine(String text, Duration timeout) {
        return waitForLine(line -> line.contains(text), "'" + text + "'", timeout);
    }

    public String waitForLine(Predicate<String> wanted, Duration timeout) {
        return waitForLine(wanted, "the wanted line", timeout);
    }

    private String waitForLine(Predicate<String> wanted, String what, Duration timeout) {
        var deadline = System.nanoTime() + timeout.toNanos();
        synchronized (lines) {
            while (true) {
                while (consumed < lines.size()) {
                    var line = lines.get(consumed++);
                    if (wanted.test(line)) {
                        return line;
                    }
                }
                var left = deadline - System.nanoTime();
                if (ended || left <= 0) {
                    throw new AssertionError("Child " + pid() + " did not print " + what
                            + (ended ? " before its end" : " within " + timeout) + "; it printed:\n"
                            + String.join("\n", lines));
                }
                waitOnLines(left);
            }
        }
    }

    /** Sends a line to the child's standard input. */
    public void println(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** SIGKILL; returns when the process has ended. */
    public void kill9() {
        process.toHandle().destroyForcibly();
        waitForExit(LAST_WORDS);
    }

    /** SIGTERM; returns at once, so that a test can watch the orderly stop. */
    public void terminate() {
        // Not process.destroy(), which would close the pipes and lose what the child says while it stops.
        process.toHandle().destroy();
    }

    /** SIGSTOP. The signal is sent before the threads have stopped, so this waits until all of them have. */
    public void pause() {
        signal("STOP");
        Path threads = Path.of("/proc", Long.toString(pid()), "task");
        long deadline = System.nanoTime() + LAST_WORDS.toNanos();
        while (Files.isDirectory(threads) && !allStopped(threads)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Child " + pid() + " did not stop within " + LAST_WORDS);
            }
            LockSupport.parkNanos(PAUSE_POLL.toNanos());
        }
    }

    private static boolean allStopped(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(ChildJvm::isStopped);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** The state is the first word behind the name, which is in brackets and may itself contain some. */
    private static boolean isStopped(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            return stat.startsWith(" T", stat.lastIndexOf(')') + 1);
        } catch (IOException ended) {
            return true; // a thread that ended meanwhile says nothing any more
        }
    }

    /** SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    /** Empty while the process lives. 137 after SIGKILL, 143 after SIGTERM. */
    public OptionalInt exitCode() {
        return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** The exit code, once the process has ended and all its lines are read. */
    public int waitForExit(Duration timeout) {
        try {
            if (!process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("Child " + pid() + " did not end within " + timeout + "; it printed:\n"
                        + String.join("\n", lines()));
            }
            reader.join(LAST_WORDS.toMillis());
            return process.exitValue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while child " + pid() + " was ending", interrupted);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill9();
        }
    }

    private void signal(String name) {
        try {
            var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("Child " + pid() + " took no SIG" + name + "; is it alive?");
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (lines) {
                    lines.add(line);
                    lines.notifyAll();
                }
            }
        } catch (IOException gone) {
            // The pipe broke because the child was killed: the end, like any other.
        } finally {
            LIVE.remove(process);
            synchronized (lines) {
                ended = true;
                lines.notifyAll();
            }
        }
    }

    private void waitOnLines(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(lines, nanos);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for child " + pid(), interrupted);
        }
    }

    /** What to start, and how. */
    public static final class Builder {

        private final Class<?> main;
        private final List<String> jvmOptions = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private List<String> arguments = List.of();
        private String classPath = ownClassPath();

        private Builder(Class<?> main) {
            this.main = main;
        }

        public Builder arguments(String... values) {
            arguments = List.of(values);
            return this;
        }

        public Builder jvmOptions(String... options) {
            jvmOptions.addAll(List.of(options));
            return this;
        }

        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        /** Instead of this JVM's class path; it must have the main class and this package. */
        public Builder classPath(String path) {
            classPath = path;
            return this;
        }

        /** For use in try-with-resources; in a test, {@link ChildJvms} closes by itself. */
        public ChildJvm start() {
            var command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString()));
            command.addAll(START_QUICKLY);
            command.addAll(jvmOptions);
            command.addAll(List.of("-cp", classPath, ChildMain.class.getName()));
            command.addAll(List.of(
                    Long.toString(ProcessHandle.current().pid()), main.getName(), Integer.toString(arguments.size())));
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            for (var i = 0; i < arguments.size(); i++) {
                builder.environment().put(ChildMain.variable(i), arguments.get(i));
            }
            builder.environment().putAll(environment);
            try {
                return new ChildJvm(builder.start(), main.getSimpleName());
            } catch (IOException broken) {
                throw new UncheckedIOException("No child JVM for " + main.getName(), broken);
            }
        }

        /** Surefire may start this JVM from one small jar; then it says elsewhere what the class path is. */
        private static String ownClassPath() {
            return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        }
    }
}
