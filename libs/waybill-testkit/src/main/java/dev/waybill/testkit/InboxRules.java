package dev.waybill.testkit;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore;
import dev.waybill.store.StoreException;
import dev.waybill.testkit.InboxFixture.Isolation;
import dev.waybill.testkit.InboxFixture.Side;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the rules of the consume log share: a process, a group, some events. */
interface InboxRules {

    String GROUP = "stock";
    Duration COST = Duration.ofMillis(12);

    /** An event that came to a group. */
    record Received(Event event, String group) {

        static Received of(String eventId, String eventType, String group, @Nullable String traceId) {
            return new Received(
                    Event.builder(eventType).eventId(eventId).traceId(traceId).build(), group);
        }
    }

    InboxFixture fixture();

    default Side side() {
        return fixture().side(Isolation.READ_COMMITTED);
    }

    default InboxStore store() {
        return side().store();
    }

    default Received received(int number) {
        return received(number, GROUP);
    }

    default Received received(int number, String group) {
        return Received.of("event-" + number, "OrderCreated", group, "trace-" + number);
    }

    /** Handles an event as an inbox does: asks again on a conflict, in a new transaction. */
    default Admission consume(Side side, Received received) {
        return inTransaction(side, ask -> consumeInside(side, received));
    }

    default Admission consume(Received received) {
        return consume(side(), received);
    }

    /** Admits, has the effect and settles, in the caller's transaction. */
    default Admission consumeInside(Side side, Received received) {
        Admission admission = admit(side, received);
        if (admission instanceof Admission.Admitted admitted) {
            fixture().effect(side, received.event().eventId());
            done(side, received, admitted);
        }
        return admission;
    }

    default Admission admit(Side side, Received received) {
        return side.store().admit(received.event(), received.group());
    }

    default Admission admit(Received received) {
        return admit(side(), received);
    }

    default void done(Side side, Received received, Admission.Admitted admitted) {
        side.store().settle(received.event(), received.group(), admitted, HandlerResult.DONE, COST);
    }

    default void done(Received received, Admission.Admitted admitted) {
        done(side(), received, admitted);
    }

    default void fail(Side side, Received received, String error) {
        side.store().fail(received.event(), received.group(), error);
    }

    default void fail(Received received, String error) {
        fail(side(), received, error);
    }

    /** Runs work in a transaction, and again while the database answers with a conflict. */
    default <T> T inTransaction(Side side, Function<Side, T> work) {
        while (true) {
            try {
                return side.transactions().inTransaction(() -> work.apply(side));
            } catch (StoreException e) {
                if (e.reason() != StoreException.Reason.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    default InboxFixture.StoredRow row(Received received) {
        return Objects.requireNonNull(
                fixture().row(received.event().eventId(), received.group()),
                () -> "row of " + received.event().eventId());
    }

    /** Rolls a transaction back. */
    final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
