package dev.waybill.outbox;

import dev.waybill.transport.SendResult;
import java.time.Duration;

/** How a held claimed leaves the relay's hands, before it is written down. */
sealed interface Ending {

    Held held();

    /** The broker, or the relay in its place, gave an answer. */
    record Answered(Held held, SendResult outcome, long at) implements Ending {}

    /** It was not sent and goes back to the table. */
    record GivenBack(Held held, Duration delay) implements Ending {}
}
