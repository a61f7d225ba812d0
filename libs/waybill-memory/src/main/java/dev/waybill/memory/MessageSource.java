package dev.waybill.memory;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Where copies wait for a subscription's members, who share it: each copy is in one member's hands at a time. */
interface MessageSource {

    /** Up to so many copies; none when none came in time. */
    List<QueuedMessage> take(int most, Predicate<StoredMessage> wanted, long patienceMillis)
            throws InterruptedException;

    void giveBack(List<QueuedMessage> copies);

    void deliverLater(QueuedMessage copy);

    /** Makes a dead letter of a copy. */
    void deadLetter(QueuedMessage copy);

    /** Gives the oldest letter to the sink, if one comes in time. It stays when the sink throws. */
    void handLetter(Consumer<QueuedMessage> sink, long patienceMillis) throws InterruptedException;
}
