package dev.waybill.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a claimed, to be written into its row. */
public sealed interface Settlement {

    ClaimedEvent claimed();

    /** The broker confirmed it: SENT. */
    record Sent(ClaimedEvent claimed, @Nullable String brokerId) implements Settlement {}

    /** The send failed and is worth another: RETRY, one attempt more, due after the delay. */
    record Retry(ClaimedEvent claimed, Duration delay, String error) implements Settlement {}

    /** No send will help: DEAD, one attempt more, the error kept for a person. */
    record Dead(ClaimedEvent claimed, String error) implements Settlement {}

    /** It was not sent: due for everyone after the delay (zero is now), attempts and state unchanged. */
    record Released(ClaimedEvent claimed, Duration delay) implements Settlement {}
}
