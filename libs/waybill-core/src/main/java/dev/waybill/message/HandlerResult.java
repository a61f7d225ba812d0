package dev.waybill.message;

/**
 * What became of a delivery: a handler answers with it, the consume log stores it, and the broker is told by it whether to
 * forget the message, deliver it again or dead-letter it.
 */
public sealed interface HandlerResult {

    HandlerResult DONE = new Done();

    static HandlerResult ignored(String reason) {
        return new Ignored(reason);
    }

    static HandlerResult retry(String error) {
        return new Retry(error);
    }

    static HandlerResult reject(String error) {
        return new Reject(error);
    }

    /** Whether the delivery is over and done with: the broker may forget the message. */
    boolean isAcknowledged();

    /** Its effect is in the transaction; the message is acknowledged after the commit. */
    record Done() implements HandlerResult {

        @Override
        public boolean isAcknowledged() {
            return true;
        }
    }

    /** Nothing to do, for good: out of order, or no longer of interest. What the handler wrote commits. */
    record Ignored(String reason) implements HandlerResult {

        @Override
        public boolean isAcknowledged() {
            return true;
        }
    }

    /** Not now: rolled back, delivered again after the subscription's next delay; after the last one a dead letter. */
    record Retry(String error) implements HandlerResult {

        @Override
        public boolean isAcknowledged() {
            return false;
        }
    }

    /** Never: rolled back, a dead letter at once. */
    record Reject(String error) implements HandlerResult {

        @Override
        public boolean isAcknowledged() {
            return false;
        }
    }
}
