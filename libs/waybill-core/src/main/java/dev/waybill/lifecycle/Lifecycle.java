package dev.waybill.lifecycle;

import java.time.Duration;

/** Something that runs in the background. */
public interface Lifecycle {

    /** Starts; does nothing when running. After a stop it may start again. */
    void start();

    /**
     * Stops in good order: finishes what is under way, gives back what was not begun.
     *
     * @return whether everything was finished before the deadline; what was not is left to leases
     */
    boolean stop(Duration deadline);

    boolean isRunning();
}
