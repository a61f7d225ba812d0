package dev.waybill.memory;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Where copies wait for a subscription's members, who share it: each copy is in one member's hands at a time. */
interface Mailbox {

    /** Up to so many copies; none when none came in time. */
    List<Copy> take(int most, Predicate<Delivery> wanted, long patienceMillis) throws InterruptedException;

    void giveBack(List<Copy> copies);

    void deliverLater(Copy copy);

    /** Makes a dead letter of a copy. */
    void bury(Copy copy);

    /** Gives the oldest letter to the keeper, if one comes in time. It stays when the keeper throws. */
    void handLetter(Consumer<Copy> keeper, long patienceMillis) throws InterruptedException;
}
