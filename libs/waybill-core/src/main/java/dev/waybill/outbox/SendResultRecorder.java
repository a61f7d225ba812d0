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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns what became of a claimed event into its settlement, and tells window and breakers what the broker said. */
final class SendResultRecorder {

    /** How long a row stays away whose topic or broker takes nothing; it costs no attempt. */
    static final Duration TOPIC_DOWN_DELAY = Duration.ofSeconds(1);

    /**
     * A row that was refused stays away longer than those that only wait, so that the next trial is another row's; but not
     * much longer than two trials, because it is the last to arrive when the topic is back.
     */
    private static final Duration REFUSED_DELAY = Duration.ofSeconds(5);

    private final RetryRules retries;
    private final SettlementQueue settlements;
    private final SendWindow window;
    private final Breakers breakers;
    private final RelayHooks hooks;
    private final Consumer<Error> onError;

    SendResultRecorder(
            RetryRules retries,
            SettlementQueue settlements,
            SendWindow window,
            Breakers breakers,
            RelayHooks hooks,
            Consumer<Error> onError) {
        this.retries = retries;
        this.settlements = settlements;
        this.window = window;
        this.breakers = breakers;
        this.hooks = hooks;
        this.onError = onError;
    }

    /** The broker answered, or nobody will. An Error on the client's thread would leave the event unsettled for good. */
    void answered(ClaimedEvent event, String topic, SendResult result, long sentAt) {
        try {
            record(event, topic, result, sentAt);
        } catch (Error e) {
            onError.accept(e);
            throw e;
        }
    }

    private void record(ClaimedEvent event, String topic, SendResult result, long sentAt) {
        if (result instanceof NotConfirmed not) {
            failed(event, topic, not, sentAt);
        } else {
            long now = hooks.now();
            settle(event, result, now, null); // before its place in the window is free: RepeatBudget must miss none
            window.confirmed(now - sentAt, now);
            breakers.confirmed(topic, event.rowKey(), now);
        }
        hooks.reached(Place.ANSWERED);
    }

    private void failed(ClaimedEvent event, String topic, NotConfirmed result, long sentAt) {
        long now = hooks.now();
        boolean topicWasDown = breakers.failed(topic, event.rowKey(), result.failure(), result.detail(), now);
        if (topicWasDown) {
            event.answered(now);
            released(event, REFUSED_DELAY);
        } else {
            settle(event, result, now, Duration.ofNanos(now - sentAt));
        }
        window.giveBack(1);
        if (slowsDown(result.failure()) && !topicWasDown) {
            window.pushedBack(now);
        }
        if (breakers.brokerIsDown()) {
            window.restart(); // now, so that the figure tells of the outage while it lasts
        }
    }

    /** No message could be made of the event; the broker was not asked. */
    void refused(ClaimedEvent event, NotConfirmed result) {
        settle(event, result, hooks.now(), null);
    }

    /** The event was not sent and goes back to the table. */
    void released(ClaimedEvent event, Duration delay) {
        settlements.add(new Settlement.Released(event, delay));
    }

    private void settle(ClaimedEvent event, SendResult result, long now, @Nullable Duration took) {
        event.answered(now);
        settlements.add(settlement(event, result, took));
    }

    private Settlement settlement(ClaimedEvent event, SendResult result, @Nullable Duration took) {
        if (result instanceof SendResult.Confirmed confirmed) {
            return new Settlement.Sent(event, confirmed.brokerId());
        }
        NotConfirmed not = (NotConfirmed) result;
        if (isTheBrokersFault(not.failure())) {
            return new Settlement.Released(event, TOPIC_DOWN_DELAY);
        }
        Optional<Duration> delay = not.failure().permanent()
                ? Optional.empty()
                : retries.of(event.event().type()).delayAfter(event.attempts() + 1);
        return delay.<Settlement>map(wait -> new Settlement.Retry(event, wait, not.describe(), took))
                .orElseGet(() -> new Settlement.Dead(event, not.describe(), took));
    }

    /** What never left this process, or came while the broker took nothing from anybody, is no event's own failure. */
    private static boolean isTheBrokersFault(SendFailure failure) {
        return failure == SendFailure.NOT_SENT
                || failure == SendFailure.NO_CONNECTION
                || failure == SendFailure.BLOCKED;
    }

    /** Whether the broker as a whole asks for less. What one queue or topic refuses must not slow the others down. */
    private static boolean slowsDown(SendFailure failure) {
        return switch (failure) {
            case THROTTLED, TIMED_OUT, NOT_STORED, NO_CONNECTION, CONNECTION_LOST, BLOCKED -> true;
            case NACKED,
                    NOT_SENT,
                    NO_DESTINATION,
                    UNSERIALISABLE,
                    ILLEGAL_MESSAGE,
                    TOO_LARGE,
                    NOT_PREPARED,
                    UNROUTABLE,
                    TOPIC_UNAVAILABLE -> false;
        };
    }
}
