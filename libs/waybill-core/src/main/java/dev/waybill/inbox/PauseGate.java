package dev.waybill.inbox;

import dev.waybill.store.InboxStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Holds deliveries back while the database or a declared dependency is down, and asks until it answers again. */
final class PauseGate {

    private static final long FIRST_PAUSE = 100;
    private static final long LONGEST_PAUSE = 2_000;

    private final InboxStore store;
    private final List<Dependency> dependencies;
    private final InboxReporter reporter;
    /** What is down; one receiver tells of it, all wait for it. */
    private final AtomicReference<@Nullable String> down = new AtomicReference<>();

    private final Set<Thread> waiting = new HashSet<>();

    PauseGate(InboxStore store, List<Dependency> dependencies, InboxReporter reporter) {
        this.store = store;
        this.dependencies = List.copyOf(dependencies);
        this.reporter = reporter;
    }

    /** Returns at once when everything answers; otherwise when it does again. True if there was something to wait for. */
    boolean await() throws InterruptedException {
        String silent = silent();
        if (silent == null) {
            answered();
            return false;
        }
        if (Thread.interrupted()) { // the probe was interrupted by a stop, so what it said means nothing
            throw new InterruptedException("stopped while waiting for " + silent);
        }
        if (down.compareAndSet(null, silent)) {
            reporter.paused(silent);
        }
        enter();
        try {
            for (long pause = FIRST_PAUSE; silent != null; pause = Math.min(LONGEST_PAUSE, pause * 2)) {
                TimeUnit.MILLISECONDS.sleep(pause);
                silent = silent();
            }
        } finally {
            leave();
        }
        if (Thread.interrupted()) { // at the last moment of the wait; a handler must not begin with it
            throw new InterruptedException("stopped while waiting");
        }
        answered();
        return true;
    }

    /** Interrupts a thread that waits here; never one that has gone on. */
    void interruptIfWaiting(Thread thread) {
        synchronized (waiting) {
            if (waiting.contains(thread)) {
                thread.interrupt();
            }
        }
    }

    private void enter() {
        synchronized (waiting) {
            waiting.add(Thread.currentThread());
        }
    }

    private void leave() {
        synchronized (waiting) {
            waiting.remove(Thread.currentThread());
        }
    }

    /** Whoever sees it first tells it, also for one who was stopped while it waited. */
    private void answered() {
        String ended = down.getAndSet(null);
        if (ended != null) {
            reporter.resumed(ended);
        }
    }

    /** Whether a dependency says that this failure was its own. */
    boolean caused(Throwable failure) {
        return dependencies.stream().anyMatch(dependency -> caused(dependency, failure));
    }

    private static boolean caused(Dependency dependency, Throwable failure) {
        try {
            return dependency.caused(failure);
        } catch (RuntimeException e) {
            return false; // a dependency whose check fails is not taken for the cause, and must not keep the delivery
            // from its result
        }
    }

    private @Nullable String silent() {
        if (!store.answers()) {
            return "database";
        }
        for (Dependency dependency : dependencies) {
            if (!answers(dependency)) {
                return dependency.name();
            }
        }
        return null;
    }

    private static boolean answers(Dependency dependency) {
        try {
            return dependency.answers();
        } catch (RuntimeException e) {
            return false;
        }
    }
}
