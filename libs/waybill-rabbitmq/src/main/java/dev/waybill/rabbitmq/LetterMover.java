package dev.waybill.rabbitmq;

import dev.waybill.message.LogText;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.Confirmed;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves held letters to the end of their queue: a confirmed copy, then the acknowledgement of the original. Whoever else reads
 * the queue sees them there, and a quorum queue's count begins at nought. A letter whose copy is not confirmed stays in hand,
 * alone. One thread's.
 */
final class LetterMover {

    private static final Logger log = LoggerFactory.getLogger(LetterMover.class);

    /** A queue that drops its head at its limit must have room for so many copies before their originals are acknowledged. */
    private static final int MOVED_AT_ONCE = 20;

    private static final int WALKED_AT_ONCE = 100;
    private static final long FIRST_SIGHT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LONGEST_SIGHT_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long NOT_MOVED_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Copies that come too late to be confirmed are in the queue all the same, so those of a slow broker must not be many. */
    private static final long LONGEST_NOT_MOVED_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final String queue;
    private final Republisher republisher;
    private final HeldLetters held;
    private final TimeShare time = new TimeShare();
    private final QueueWalk walk;
    private long sightNanos = FIRST_SIGHT_NANOS;
    private long moveAfter = System.nanoTime();
    private long timedOutNanos = NOT_MOVED_NANOS;

    LetterMover(String queue, Republisher republisher, HeldLetters held) {
        this.queue = queue;
        this.republisher = republisher;
        this.held = held;
        this.walk = new QueueWalk(queue, republisher, time);
    }

    /**
     * Moves what has to be moved, for a moment.
     *
     * @param handIsFull whether no further letter comes until one of those in hand is gone
     */
    void move(boolean handIsFull) {
        if (isPaused()) {
            return;
        }
        move(held.oldest(each -> each.waits() && each.isCounted(), MOVED_AT_ONCE));
        if (time.isLeft()) {
            time.spend(this::showToOthers);
        }
        if (handIsFull && walk.goesOn(held.size())) {
            time.spend(this::walk);
        }
    }

    /**
     * Before the broker gets everything back: what it has counted already must not be counted once more.
     *
     * @param mostNanos what is not moved by then stays, since whoever stops has no longer
     */
    void moveCounted(long mostNanos) {
        long end = System.nanoTime() + mostNanos;
        List<HeldLetter> counted = held.oldest(HeldLetter::isCounted, MOVED_AT_ONCE);
        long left = mostNanos;
        while (!counted.isEmpty() && !isPaused() && left > 0) {
            move(counted, left);
            counted = held.oldest(HeldLetter::isCounted, MOVED_AT_ONCE);
            left = end - System.nanoTime();
        }
    }

    /** Letters that nobody collects here may be awaited by another process. */
    private void showToOthers() {
        long now = System.nanoTime();
        List<HeldLetter> hidden = held.oldest(each -> each.isHiddenFor(sightNanos, now), MOVED_AT_ONCE);
        move(hidden);
        if (!hidden.isEmpty()
                && held.oldest(each -> each.isHiddenFor(sightNanos, now), 1).isEmpty()) {
            sightNanos = Math.min(2 * sightNanos, LONGEST_SIGHT_NANOS);
        }
    }

    private void walk() {
        walk.passed(move(held.oldest(HeldLetter::waits, WALKED_AT_ONCE)));
    }

    private boolean isPaused() {
        return System.nanoTime() - moveAfter < 0;
    }

    private int move(List<HeldLetter> leaving) {
        return move(leaving, Long.MAX_VALUE);
    }

    private int move(List<HeldLetter> leaving, long mostNanos) {
        if (leaving.isEmpty() || isPaused()) {
            return 0;
        }
        Map<UnackedMessage, SendResult> results = republisher.publishAgain(
                queue, leaving.stream().map(each -> each.letter).toList(), mostNanos);
        List<HeldLetter> moved = new ArrayList<>();
        for (HeldLetter each : leaving) {
            SendResult result = results.get(each.letter);
            if (result instanceof Confirmed) {
                each.letter.acknowledge();
                moved.add(each);
            } else if (result instanceof NotConfirmed refused) {
                stay(each, refused);
            }
        }
        held.removeAll(moved);
        if (!moved.isEmpty()) {
            timedOutNanos = NOT_MOVED_NANOS;
        }
        return moved.size();
    }

    private void stay(HeldLetter each, NotConfirmed refused) {
        if (refused.failure().permanent()) {
            each.unmovable();
            log.error(
                    "[DeadLetters] [ALERT] No copy of a letter can be sent, it stays in hand dlq={} queue={} messageId={} cause={}",
                    queue,
                    LogText.token(String.valueOf(RepublishHeaders.source(each.letter.properties))),
                    LogText.token(each.letter.properties.getMessageId()),
                    LogText.sentence(refused.describe()));
        } else if (!isPaused()) {
            log.warn(
                    "[DeadLetters] Letters not moved, they stay in hand dlq={} cause={}",
                    queue,
                    LogText.sentence(refused.describe()));
            boolean timedOut = refused.failure() == SendFailure.TIMED_OUT;
            moveAfter = System.nanoTime() + (timedOut ? timedOutNanos : NOT_MOVED_NANOS);
            timedOutNanos = timedOut ? Math.min(2 * timedOutNanos, LONGEST_NOT_MOVED_NANOS) : timedOutNanos;
        }
    }
}
