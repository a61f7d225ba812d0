package dev.waybill.rocketmq;

import java.time.Duration;
import java.util.List;

/**
 * What happens to a message whose receiver throws: how long it is offered again in its place, where it holds up a receiver, and
 * for how long it then waits at the broker, again and again, while others go on.
 *
 * @param inPlace how long it is offered in its place
 * @param away the waits at the broker, each of them one of its delay levels; the last one repeats
 */
record ReceiverPatience(Duration inPlace, List<Duration> away) {

    /** A receiver throws when something around it is missing, and then it would throw at the next message too. */
    static final ReceiverPatience UNLIMITED = new ReceiverPatience(Duration.ofDays(7), List.of(Duration.ofHours(1)));

    /** A dead letter may itself be what its sink cannot take; a table that is away takes none, and loses little by this. */
    static final ReceiverPatience OF_DEAD_LETTERS = new ReceiverPatience(
            Duration.ofSeconds(2),
            List.of(Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMinutes(10)));

    /** @param before how often it was away already */
    Duration awayAfter(int before) {
        return away.get(Math.min(before, away.size() - 1));
    }
}
