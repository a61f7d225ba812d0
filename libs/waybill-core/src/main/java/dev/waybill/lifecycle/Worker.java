package dev.waybill.lifecycle;

import dev.waybill.message.LogText;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that repeats one step until told to stop. A step that throws an exception is logged and repeated after a
 * growing pause; an {@link Error} ends the worker and is reported, because nobody can say what it left behind.
 */
public final class Worker {

    /** One round. May wait, but not longer than a moment: a stop is noticed between rounds. */
    @FunctionalInterface
    public interface Step {
        void run() throws InterruptedException;
    }

    private static final Logger log = LoggerFactory.getLogger(Worker.class);
    /** A round that heeds an interrupt does so at once; one that does not would only make a stop late. */
    private static final Duration AFTER_INTERRUPT = Duration.ofMillis(200);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final String name;
    private final Step step;
    private final Consumer<Error> onError;
    private volatile boolean stopping;
    private @Nullable Thread thread;

    public Worker(String name, Step step, Consumer<Error> onError) {
        this.name = name;
        this.step = step;
        this.onError = onError;
    }

    public synchronized void start() {
        if (thread != null) {
            return;
        }
        stopping = false;
        Thread started = new Thread(this::loop, name);
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    /** Asks the worker to end after its present round. */
    public void requestStop() {
        stopping = true;
    }

    /** Waits for the end; interrupts the round when the deadline has passed. */
    public synchronized boolean join(Duration deadline) {
        Thread running = thread;
        if (running == null) {
            return true;
        }
        requestStop();
        try {
            running.join(Math.max(1, deadline.toMillis()));
            boolean inTime = !running.isAlive();
            if (!inTime) {
                running.interrupt();
                running.join(AFTER_INTERRUPT.toMillis());
            }
            thread = null;
            return inTime;
        } catch (InterruptedException e) {
            running.interrupt();
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void loop() {
        Duration pause = FIRST_PAUSE;
        while (!stopping) {
            try {
                step.run();
                pause = FIRST_PAUSE;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException e) {
                log.warn("[Worker] {} failed, tries again in {} ms", name, pause.toMillis(), LogText.thrown(e));
                if (!rest(pause)) {
                    return;
                }
                pause = longer(pause);
            } catch (Error e) {
                onError.accept(e);
                throw e;
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }

    private boolean rest(Duration pause) {
        try {
            long end = System.nanoTime() + pause.toNanos();
            while (!stopping && System.nanoTime() < end) {
                Thread.sleep(Math.min(50, pause.toMillis()));
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
