package dev.waybill.memory;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Where messages wait for a subscription's members, who share it: each message is in one member's hands at a time. */
interface MessageSource {

    /** Up to so many messages; none when none came in time. */
    List<QueuedMessage> take(int most, Predicate<StoredMessage> wanted, long patienceMillis)
            throws InterruptedException;

    void giveBack(List<QueuedMessage> messages);

    void deliverLater(QueuedMessage message);

    /** Makes a dead letter of a message. */
    void deadLetter(QueuedMessage message);

    /** Gives the oldest letter to the sink, if one comes in time. It stays when the sink throws. */
    void giveLetter(Consumer<QueuedMessage> sink, long patienceMillis) throws InterruptedException;
}
