package dev.waybill.testkit;

import dev.waybill.store.Admission;
import dev.waybill.store.InboxStore;
import dev.waybill.store.InboxStore.Arrival;
import dev.waybill.store.InboxStore.Ending;
import dev.waybill.store.StoreException;
import dev.waybill.testkit.InboxFixture.Isolation;
import dev.waybill.testkit.InboxFixture.Side;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/** What the rules of the consume log share: a process, a group, some events. */
interface InboxRules {

    String GROUP = "stock";
    Ending SUCCESS = new Ending.Success(Duration.ofMillis(12));

    InboxFixture fixture();

    default Side side() {
        return fixture().side(Isolation.READ_COMMITTED);
    }

    default InboxStore store() {
        return side().store();
    }

    default Arrival arrival(int number) {
        return arrival(number, GROUP);
    }

    default Arrival arrival(int number, String group) {
        return new Arrival("event-" + number, "OrderCreated", group, "trace-" + number);
    }

    /** Handles an event as an inbox does: asks again on a conflict, in a new transaction. */
    default Admission consume(Side side, Arrival arrival) {
        return inTransaction(side, ask -> consumeInside(side, arrival));
    }

    default Admission consume(Arrival arrival) {
        return consume(side(), arrival);
    }

    /** Admits, has the effect and settles, in the caller's transaction. */
    default Admission consumeInside(Side side, Arrival arrival) {
        Admission admission = side.store().admit(arrival);
        if (admission instanceof Admission.Admitted admitted) {
            fixture().effect(side, arrival.eventId());
            side.store().settle(arrival, admitted, SUCCESS);
        }
        return admission;
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

    default InboxFixture.StoredRow row(Arrival arrival) {
        return Objects.requireNonNull(
                fixture().row(arrival.eventId(), arrival.group()), () -> "row of " + arrival.eventId());
    }

    /** Rolls a transaction back. */
    final class RolledBack extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
