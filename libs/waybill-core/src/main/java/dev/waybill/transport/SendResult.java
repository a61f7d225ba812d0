package dev.waybill.transport;

import org.jspecify.annotations.Nullable;

/** What the broker made of one message. */
public sealed interface SendResult {

    /** The broker has it safely. The id is the broker's own, where it has one. */
    record Confirmed(@Nullable String brokerId) implements SendResult {}

    /** It was not taken, or nobody knows: a repeat may follow. */
    record NotConfirmed(SendFailure failure, String detail) implements SendResult {

        /** The failure and its detail in one line, for logs and tables. */
        public String describe() {
            return failure + ": " + detail;
        }
    }
}
