package dev.waybill.lifecycle;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** May start and stop many times; each start makes a run of its own, because a run that was stopped never comes back. */
public final class Restartable implements Lifecycle {

    /** From one start to its stop. */
    public interface Run {

        void start();

        /** Whether everything ended before the deadline. */
        boolean stop(Duration deadline);

        /** What keeps it from its work, or null. Never waits. */
        default @Nullable String obstacle() {
            return null;
        }
    }

    private final Supplier<? extends Run> runs;
    private volatile @Nullable Run current;

    public Restartable(Supplier<? extends Run> runs) {
        this.runs = runs;
    }

    @Override
    public synchronized void start() {
        if (current == null) {
            Run fresh = runs.get();
            fresh.start();
            current = fresh;
        }
    }

    @Override
    public synchronized boolean stop(Duration deadline) {
        Run running = current;
        current = null;
        return running == null || running.stop(deadline);
    }

    /** Not synchronized, like the next one: a stop that takes its time must not hold up who only looks. */
    @Override
    public boolean isRunning() {
        Run running = current;
        return running != null && running.obstacle() == null;
    }

    @Override
    public @Nullable String obstacle() {
        Run running = current;
        return running == null ? null : running.obstacle();
    }
}
