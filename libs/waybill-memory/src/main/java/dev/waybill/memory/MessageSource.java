package dev.waybill.memory;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Where messages wait for a subscription's members, who share it: each message is in one member's hands at a time. */
interface MessageSource {

    /** Up to so many messages; none when none came in time. */
    List<QueuedMessage> take(int most, Predicate<StoredMessage> wanted, long patienceMillis)
            throws InterruptedException;

    /** The member lets go of messages that it did not handle. */
    void giveBack(List<QueuedMessage> messages);

    /** The member has handled the message: it is needed no longer. */
    void forget(QueuedMessage message);

    /** The member wants the message again when it is due. */
    void deliverLater(QueuedMessage message);

    /** Makes a dead letter of a message that the member has in hand. */
    void deadLetter(QueuedMessage message);

    /** Takes in a message that nobody has in hand: a dead letter that is replayed. */
    void replay(QueuedMessage message);

    /** Gives the oldest letter to the sink, if one comes in time. It stays when the sink throws. */
    void giveLetter(Consumer<QueuedMessage> sink, long patienceMillis) throws InterruptedException;
}
