package dev.waybill.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to be written into a claimed row. The row's fence is read when the statement is made, not before. */
public sealed interface Settlement {

    ClaimedRow row();

    /** The broker confirmed it: SENT. */
    record Sent(ClaimedEvent row, @Nullable String brokerId) implements Settlement {}

    /**
     * The send failed and is worth another: RETRY, one attempt more, due after the delay.
     *
     * @param took from the send to the broker's answer; null where nothing was sent
     */
    record Retry(
            ClaimedEvent row,
            Duration delay,
            String error,
            @Nullable Duration took) implements Settlement {

        public Retry(ClaimedEvent row, Duration delay, String error) {
            this(row, delay, error, null);
        }
    }

    /**
     * No send will help: DEAD, one attempt more, the error kept for a person.
     *
     * @param took from the send to the broker's answer; null where nothing was sent
     */
    record Dead(ClaimedRow row, String error, @Nullable Duration took) implements Settlement {

        public Dead(ClaimedRow row, String error) {
            this(row, error, null);
        }
    }

    /** It was not sent: due for everyone after the delay (zero is now), attempts and state unchanged. */
    record Released(ClaimedEvent row, Duration delay) implements Settlement {}
}
