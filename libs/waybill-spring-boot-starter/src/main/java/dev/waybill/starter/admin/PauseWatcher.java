package dev.waybill.starter.admin;

import dev.waybill.jdbc.JdbcPauseStore;
import dev.waybill.message.LogText;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.StartUpException;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.PauseStore;
import dev.waybill.store.PauseStore.PausedPart;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Pauses in this process what people have paused for all of its replicas, and resumes it. It looks before anything starts, so that a
 * restart resumes nothing, and every two seconds with one statement; a decision made here takes effect at once.
 */
final class PauseWatcher implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(PauseWatcher.class);
    private static final long PAUSE_BETWEEN_LOOKS = Duration.ofSeconds(2).toMillis();
    private static final long STOP = Duration.ofSeconds(2).toMillis();

    private final PauseStore store;
    private final String scope;
    private final Supplier<List<PausablePart>> found;
    private final Object bell = new Object();
    private @Nullable Thread thread;
    private boolean rung;
    private volatile boolean running;
    private volatile boolean answered = true;

    /** @param found asked at each start: listeners are known only then */
    PauseWatcher(PauseStore store, String scope, Supplier<List<PausablePart>> found) {
        this.store = store;
        this.scope = scope;
        this.found = found;
    }

    @Override
    public synchronized void start() {
        if (running) {
            return;
        }
        verify();
        List<PausablePart> parts = found.get();
        look(parts);
        running = true;
        Thread started = new Thread(() -> run(parts), "waybill-pauses");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    private void verify() {
        if (!(store instanceof JdbcPauseStore table)) {
            return;
        }
        try {
            table.verify();
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.MISCONFIGURED) {
                throw new StartUpException(
                        AdminSecurityCheck.ENABLED,
                        "The table of what is paused cannot be used: " + e.getMessage() + ".",
                        "Set waybill.outbox.ddl=apply to create it, create it with the statements that"
                                + " waybill.outbox.ddl=print logs, or set " + AdminSecurityCheck.ENABLED + "=false.",
                        e);
            }
            log.warn("[Admin] paused parts unknown, looking again error={}", LogText.sentence(e.getMessage()));
        }
    }

    private void run(List<PausablePart> parts) {
        while (running) {
            try {
                rest();
            } catch (InterruptedException e) {
                return; // only a stop interrupts it
            }
            if (running) {
                look(parts);
            }
        }
    }

    private void rest() throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_BETWEEN_LOOKS);
        synchronized (bell) {
            long left = PAUSE_BETWEEN_LOOKS;
            while (!rung && running && left > 0) {
                bell.wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            }
            rung = false;
        }
    }

    /** While the database is away everything stays as it is. */
    private void look(List<PausablePart> parts) {
        Map<String, PausedPart> paused;
        try {
            paused = paused();
            answered = true;
        } catch (StoreException e) {
            if (answered) {
                log.warn("[Admin] paused parts unknown, nothing changes error={}", LogText.sentence(e.getMessage()));
            }
            answered = false;
            return;
        }
        for (PausablePart part : parts) {
            apply(part, paused.get(part.name()));
        }
    }

    private static void apply(PausablePart part, @Nullable PausedPart wanted) {
        if (part.isPaused().getAsBoolean() == (wanted != null)) {
            return;
        }
        try {
            (wanted == null ? part.resume() : part.pause()).run();
            log.info(
                    "[Admin] {} part={} actor={}",
                    wanted == null ? "resumed" : "paused",
                    LogText.token(part.name()),
                    wanted == null ? "-" : LogText.token(wanted.decision().actor()));
        } catch (RuntimeException e) {
            log.warn("[Admin] change failed, tried again part={}", LogText.token(part.name()), LogText.thrown(e));
        }
    }

    /** What people have paused, by name. */
    Map<String, PausedPart> paused() {
        return store.paused(scope).stream().collect(Collectors.toMap(PausedPart::part, Function.identity()));
    }

    /** Pauses a part everywhere; false when it was. */
    boolean pause(String part, OperatorDecision decision) {
        boolean changed = store.pause(scope, part, decision);
        ring();
        return changed;
    }

    /** Resumes a part everywhere; false when it was not paused. */
    boolean resume(String part, OperatorDecision decision) {
        boolean changed = store.resume(scope, part, decision);
        ring();
        return changed;
    }

    private void ring() {
        synchronized (bell) {
            rung = true;
            bell.notifyAll();
        }
    }

    @Override
    public synchronized void stop() {
        running = false;
        ring();
        Thread ending = thread;
        thread = null;
        if (ending != null) {
            try {
                ending.join(STOP); // it may be busy with stopping a part, which the application's own stop does again
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before the relay and the subscriptions. */
    @Override
    public int getPhase() {
        return RelayLifecycle.PHASE - 1;
    }
}
