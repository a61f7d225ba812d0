package dev.waybill.testkit;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore;
import dev.waybill.store.StoreException;
import dev.waybill.testkit.InboxFixture.InboxProcess;
import dev.waybill.testkit.InboxFixture.Isolation;
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

    default InboxProcess process() {
        return fixture().process(Isolation.READ_COMMITTED);
    }

    default InboxStore store() {
        return process().store();
    }

    default Received received(int number) {
        return received(number, GROUP);
    }

    default Received received(int number, String group) {
        return Received.of("event-" + number, "OrderCreated", group, "trace-" + number);
    }

    /** Handles an event as an inbox does: asks again on a conflict, in a new transaction. */
    default Admission consume(InboxProcess process, Received received) {
        return inTransaction(process, ask -> consumeInside(process, received));
    }

    default Admission consume(Received received) {
        return consume(process(), received);
    }

    /** Admits, has the effect and settles, in the caller's transaction. */
    default Admission consumeInside(InboxProcess process, Received received) {
        Admission admission = admit(process, received);
        if (admission instanceof Admission.Admitted admitted) {
            fixture().effect(process, received.event().eventId());
            done(process, received, admitted);
        }
        return admission;
    }

    default Admission admit(InboxProcess process, Received received) {
        return process.store().admit(received.event(), received.group());
    }

    default Admission admit(Received received) {
        return admit(process(), received);
    }

    default void done(InboxProcess process, Received received, Admission.Admitted admitted) {
        process.store().settle(received.event(), received.group(), admitted, HandlerResult.DONE, COST);
    }

    default void done(Received received, Admission.Admitted admitted) {
        done(process(), received, admitted);
    }

    default void fail(InboxProcess process, Received received, String error) {
        process.store().fail(received.event(), received.group(), error);
    }

    default void fail(Received received, String error) {
        fail(process(), received, error);
    }

    /** Runs work in a transaction, and again while the database answers with a conflict. */
    default <T> T inTransaction(InboxProcess process, Function<InboxProcess, T> work) {
        while (true) {
            try {
                return process.transactions().inTransaction(() -> work.apply(process));
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
