package dev.waybill.testkit;

import dev.waybill.store.DeadLetterStore;
import java.util.List;

/** What {@link DeadLetterStoreContract} needs to know about a store of dead letters, and direct access to its tables. */
public interface DeadLetterFixture extends AutoCloseable {

    /** The store of one process. */
    DeadLetterStore store();

    /** The same letters seen by a process that was started later. */
    DeadLetterStore restarted();

    /** The audit's records, oldest first, as {@code ACTION actor reason letterId eventId event}. */
    List<String> audit();

    /** Moves the times of all letters and audit records a day into the past. */
    void makeOld();

    /** Removes all letters and audit records. */
    void clear();

    @Override
    void close();
}
