package dev.waybill.rabbitmq;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The letters of one dead-letter queue that are in hand and could not be saved yet. They stay unacknowledged and are offered
 * again here: a quorum queue counts what is given back, and drops it in the end. One thread's.
 */
final class HeldLetters {

    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_BYTES_AT_ONCE = 4 * 1024 * 1024;

    /** What became of a letter that was offered. */
    enum Offer {
        SAVED,
        REFUSED,
        UNCLAIMED
    }

    private final Function<UnackedMessage, Offer> sinks;
    private final Predicate<UnackedMessage> claimed;
    private final Set<HeldLetter> held = new LinkedHashSet<>();

    /**
     * Begins with none in hand.
     *
     * @param sinks offers a letter to whoever collects it
     * @param claimed whether anybody collects such a letter now
     */
    HeldLetters(Function<UnackedMessage, Offer> sinks, Predicate<UnackedMessage> claimed) {
        this.sinks = sinks;
        this.claimed = claimed;
    }

    void add(UnackedMessage letter) {
        held.add(new HeldLetter(letter));
    }

    /** Offers every letter whose time has come, for a moment. */
    void offer() {
        held.removeIf(each -> each.letter.stale());
        long began = System.nanoTime();
        List<HeldLetter> due = new ArrayList<>(held);
        // those that were refused least often first: two whose refusal takes long must not take all the time
        due.sort(Comparator.comparingInt(HeldLetter::refusals));
        for (HeldLetter each : due) {
            if (System.nanoTime() - began >= ROUND_NANOS) {
                return;
            }
            if (isDue(each, began) && saved(each)) {
                held.remove(each);
            }
        }
    }

    private boolean isDue(HeldLetter each, long now) {
        return each.isUnclaimed() ? claimed.test(each.letter) : each.isDue(now);
    }

    private boolean saved(HeldLetter each) {
        switch (sinks.apply(each.letter)) {
            case SAVED -> {
                each.letter.acknowledge();
                return true;
            }
            case REFUSED -> each.refused();
            case UNCLAIMED -> each.unclaimed();
        }
        return false;
    }

    /** Some of those that wait and can be moved, the oldest first: one, or as many as a slow network takes in a moment. */
    List<HeldLetter> oldest(Predicate<HeldLetter> which, int most) {
        List<HeldLetter> oldest = new ArrayList<>();
        long bytes = 0;
        for (HeldLetter each : held) {
            if (each.isMovable() && which.test(each)) {
                bytes += each.bytes;
                if (oldest.size() == most || (!oldest.isEmpty() && bytes > MOST_BYTES_AT_ONCE)) {
                    break;
                }
                oldest.add(each);
            }
        }
        return oldest;
    }

    void removeAll(Collection<HeldLetter> moved) {
        held.removeAll(Set.copyOf(moved));
    }

    int size() {
        return held.size();
    }

    /** How many could not be saved, which others may be waiting behind. */
    int waiting() {
        return (int) held.stream().filter(HeldLetter::waits).count();
    }

    long bytes() {
        return held.stream().mapToLong(each -> each.bytes).sum();
    }
}
