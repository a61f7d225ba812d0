package dev.waybill.lifecycle;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

    /** Whether it does its work: a subscription receives, a relay can send. False also while something keeps it from that. */
    boolean isRunning();

    /**
     * What keeps it from its work although it was started, such as a queue that does not exist or a broker that refuses the
     * password: one sentence that names host, port and user. Null while it works, and while it is stopped.
     */
    default @Nullable String obstacle() {
        return null;
    }
}
