package dev.waybill.rabbitmq;

import dev.waybill.message.LogText;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The letters of one dead-letter queue that are in hand and could not be saved yet. They stay unacknowledged and are tried again
 * here. Room for others, and a sight of foreign letters for whoever else reads the queue, comes from moving letters to the
 * queue's end: a confirmed copy, then the acknowledgement. A quorum queue counts what is given back and drops it in the end,
 * but a copy begins at nought. One thread's.
 */
final class HeldLetters {

    private static final Logger log = LoggerFactory.getLogger(HeldLetters.class);

    /** From so many letters on, others may be waiting behind them. */
    private static final int FULL = DeadLetterCollector.PREFETCH * 4 / 5;

    private static final int MOVED_AT_ONCE = 100;
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FIRST_SIGHT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_SIGHT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long NOT_MOVED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long WALK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

    /** Walks through a queue of foreign letters take at most a tenth of the time. */
    private static final int WALK_SHARE = 10;

    /** What became of a letter that was offered. */
    enum Offer {
        SAVED,
        REFUSED,
        UNCLAIMED
    }

    private static final class Held {

        final UnackedMessage letter;
        final String source;
        final long since = System.nanoTime();
        long due = since;
        int refusals;
        boolean unclaimed;

        Held(UnackedMessage letter) {
            this.letter = letter;
            this.source = DeadLetterCollector.sourceOf(letter);
        }

        boolean waits() {
            return unclaimed || refusals > 0;
        }
    }

    private final String queue;
    private final Republisher republisher;
    private final Function<UnackedMessage, Offer> sinks;
    private final Predicate<String> claimed;
    private final List<Held> held = new ArrayList<>();
    private long sightNanos = FIRST_SIGHT_NANOS;
    private long moveAfter = System.nanoTime();
    private long lookAfter = System.nanoTime();
    private long walkBegan;
    private long walkAgainAfter = System.nanoTime();
    private long leftToWalk;
    private long readyBefore;

    /**
     * Begins with none in hand.
     *
     * @param sinks offers a letter to whoever collects it
     * @param claimed whether anybody collects the letters of a source now
     */
    HeldLetters(
            String queue, Republisher republisher, Function<UnackedMessage, Offer> sinks, Predicate<String> claimed) {
        this.queue = queue;
        this.republisher = republisher;
        this.sinks = sinks;
        this.claimed = claimed;
    }

    void add(UnackedMessage letter) {
        held.add(new Held(letter));
    }

    /** Offers every letter whose time has come, for a moment. */
    void offer() {
        long began = System.nanoTime();
        List<Held> due = new ArrayList<>(held);
        // those that were refused least often first: two whose refusal takes long must not take all the time
        due.sort(Comparator.comparingInt(each -> each.refusals));
        for (Held each : due) {
            if (System.nanoTime() - began >= ROUND_NANOS) {
                return;
            }
            if (each.letter.stale() || (due(each, began) && saved(each))) {
                held.remove(each);
            }
        }
    }

    private boolean due(Held each, long now) {
        return each.unclaimed ? claimed.test(each.source) : now - each.due >= 0;
    }

    private boolean saved(Held each) {
        switch (sinks.apply(each.letter)) {
            case SAVED -> {
                each.letter.acknowledge();
                return true;
            }
            case REFUSED -> {
                each.unclaimed = false;
                each.refusals++;
                each.due = System.nanoTime() + HeldMessages.pauseNanos(each.refusals);
            }
            case UNCLAIMED -> each.unclaimed = true;
        }
        return false;
    }

    /** Moves letters to the queue's end: those a quorum queue has counted, those shown to nobody else for long, those in the way. */
    void move() {
        long now = System.nanoTime();
        if (now - moveAfter < 0) {
            return;
        }
        List<Held> counted = oldest(each -> each.waits() && each.letter.redeliveries() > 0);
        List<Held> unseen = oldest(each -> each.unclaimed && now - each.since > sightNanos);
        if (!counted.isEmpty()) {
            move(counted);
        } else if (!unseen.isEmpty()) {
            if (move(unseen) && unseen.size() < MOVED_AT_ONCE) {
                sightNanos = Math.min(2 * sightNanos, LONGEST_SIGHT_NANOS);
            }
        } else if (held.size() >= FULL && walk(now)) {
            List<Held> inTheWay = oldest(Held::waits);
            leftToWalk -= move(inTheWay) ? inTheWay.size() : 0;
            if (leftToWalk <= 0) {
                walkAgainAfter =
                        System.nanoTime() + Math.max(WALK_AGAIN_NANOS, WALK_SHARE * (System.nanoTime() - walkBegan));
                readyBefore = Long.MAX_VALUE; // known when the broker's deliveries have come to rest
                lookAfter = System.nanoTime() + LOOK_NANOS;
            }
        }
    }

    /** Before the broker gets everything back: what it has counted already must not be counted once more. */
    void moveCounted() {
        move(oldest(each -> each.letter.redeliveries() > 0, DeadLetterCollector.PREFETCH));
    }

    /** Whether to walk on through the queue: twice past everything, when it has grown, and now and then. */
    private boolean walk(long now) {
        if (leftToWalk > 0) {
            return true;
        }
        if (now - lookAfter < 0) {
            return false;
        }
        lookAfter = now + LOOK_NANOS;
        long ready = republisher.ready(queue);
        boolean grown = ready > readyBefore;
        if (readyBefore == Long.MAX_VALUE) {
            readyBefore = ready;
        }
        if (ready <= 0 || !(grown || now - walkAgainAfter >= 0)) {
            return false;
        }
        log.warn(
                "[DeadLetters] [ALERT] Letters that nobody here can save are in front of others, moved to the end dlq={}"
                        + " held={} behind={}",
                queue,
                held.size(),
                ready);
        walkBegan = now;
        leftToWalk = 2 * (ready + held.size());
        return true;
    }

    private List<Held> oldest(Predicate<Held> which) {
        return oldest(which, MOVED_AT_ONCE);
    }

    private List<Held> oldest(Predicate<Held> which, int most) {
        return held.stream()
                .filter(each -> !each.letter.stale())
                .filter(which)
                .limit(most)
                .toList();
    }

    private boolean move(List<Held> leaving) {
        if (leaving.isEmpty()) {
            return true;
        }
        List<UnackedMessage> letters = leaving.stream().map(each -> each.letter).toList();
        if (republisher.publishAgain(queue, letters) instanceof NotConfirmed refused) {
            log.warn(
                    "[DeadLetters] Letters not moved, they stay in hand dlq={} cause={}",
                    queue,
                    LogText.sentence(refused.describe()));
            moveAfter = System.nanoTime() + NOT_MOVED_NANOS;
            return refused.failure() == SendFailure.ILLEGAL_MESSAGE && moveOneByOne(leaving);
        }
        letters.forEach(UnackedMessage::acknowledge);
        forget(leaving);
        return true;
    }

    /** One of them is nothing that a client can send; the others need not stay with it. */
    private boolean moveOneByOne(List<Held> leaving) {
        List<Held> moved = new ArrayList<>();
        for (Held each : leaving) {
            if (republisher.publishAgain(queue, List.of(each.letter)) instanceof Confirmed) {
                each.letter.acknowledge();
                moved.add(each);
            }
        }
        forget(moved);
        return !moved.isEmpty();
    }

    private void forget(List<Held> moved) {
        Set<Held> gone = new HashSet<>(moved);
        held.removeIf(gone::contains);
    }
}
