package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.time.Duration;
import java.util.Optional;

/** Turns what became of a claimed event into its settlement, and tells window and breakers what the broker said. */
final class SendResultRecorder {

    /** By then the topic's breaker is open, or the topic takes messages again. */
    private static final Duration NOT_SENT_DELAY = Duration.ofSeconds(1);

    private final RetryRules retries;
    private final SettlementQueue settlements;
    private final SendWindow window;
    private final Breakers breakers;
    private final RelayHooks hooks;

    SendResultRecorder(
            RetryRules retries, SettlementQueue settlements, SendWindow window, Breakers breakers, RelayHooks hooks) {
        this.retries = retries;
        this.settlements = settlements;
        this.window = window;
        this.breakers = breakers;
        this.hooks = hooks;
    }

    /** The broker answered, or nobody will. */
    void answered(ClaimedEvent event, String topic, SendResult result, long sentAt) {
        long now = hooks.now();
        settle(event, result, now); // before its place in the window is free: RepeatBudget must miss none
        if (result instanceof NotConfirmed not) {
            window.giveBack(1);
            if (slowsDown(not.failure())) {
                window.pushedBack(now);
            }
            breakers.failed(topic, not.failure(), not.detail(), now);
            if (breakers.brokerIsDown()) {
                window.restart(); // now, so that the figure tells of the outage while it lasts
            }
        } else {
            window.confirmed(now - sentAt, now);
            breakers.confirmed(topic);
        }
        hooks.reached(Place.ANSWERED);
    }

    /** No message could be made of the event; the broker was not asked. */
    void refused(ClaimedEvent event, NotConfirmed result) {
        settle(event, result, hooks.now());
    }

    /** The event was not sent and goes back to the table. */
    void released(ClaimedEvent event, Duration delay) {
        settlements.add(new Settlement.Released(event, delay));
    }

    private void settle(ClaimedEvent event, SendResult result, long now) {
        event.answered(now);
        settlements.add(settlement(event, result));
    }

    private Settlement settlement(ClaimedEvent event, SendResult result) {
        if (result instanceof SendResult.Confirmed confirmed) {
            return new Settlement.Sent(event, confirmed.brokerId());
        }
        NotConfirmed not = (NotConfirmed) result;
        if (not.failure() == SendFailure.NOT_SENT) {
            return new Settlement.Released(event, NOT_SENT_DELAY);
        }
        Optional<Duration> delay = not.failure().permanent()
                ? Optional.empty()
                : retries.of(event.event().type()).delayAfter(event.attempts() + 1);
        return delay.<Settlement>map(wait -> new Settlement.Retry(event, wait, not.describe()))
                .orElseGet(() -> new Settlement.Dead(event, not.describe()));
    }

    private static boolean slowsDown(SendFailure failure) {
        return switch (failure) {
            case NACKED, THROTTLED, TIMED_OUT, NOT_STORED, CONNECTION_LOST, BLOCKED -> true;
            case NO_DESTINATION, UNSERIALISABLE, ILLEGAL_MESSAGE, TOO_LARGE, UNROUTABLE, NOT_SENT, TOPIC_UNAVAILABLE ->
                false;
        };
    }
}
