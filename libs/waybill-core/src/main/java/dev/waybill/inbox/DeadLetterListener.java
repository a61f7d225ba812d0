package dev.waybill.inbox;

import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import org.jspecify.annotations.Nullable;

/** Hears of dead letters: for metrics, alerts and tests. What it throws is logged and otherwise ignored. */
public interface DeadLetterListener {

    /** A letter is in the table; after a crash perhaps for the second time. */
    default void saved(DeadLetter letter, @Nullable String eventId, @Nullable String eventType) {}

    /** The broker has it again. */
    default void replayed(StoredLetter letter) {}

    default void replayFailed(StoredLetter letter, String error) {}
}
