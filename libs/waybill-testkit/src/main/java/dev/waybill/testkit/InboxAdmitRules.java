package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import dev.waybill.store.NoTransactionException;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Admit and settle: once, together with the business writes, with one statement each. */
interface InboxAdmitRules extends InboxRules {

    @Test
    default void aNewEventCostsOneStatementToAdmitAndOneToSettle() {
        consume(received(0)); // the first use reads the table's metadata
        process().transactions().inTransaction(() -> {
            long before = fixture().statements(process());
            Admission admission = admit(received(1));
            assertThat(fixture().statements(process()) - before).isEqualTo(1);
            assertThat(admission).isEqualTo(new Admission.Admitted(((Admission.Admitted) admission).rowKey(), 0));
            done(received(1), (Admission.Admitted) admission);
            long both = fixture().statements(process()) - before;
            assertThat(both).isEqualTo(2);
            return true;
        });
        assertThat(row(received(1)).done()).isTrue();
    }

    @Test
    default void anEventWhoseAdmissionIsGoneCannotBeSettled() {
        Admission.Admitted lost = rolledBackAdmission();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> process().transactions().inTransaction(() -> {
                    done(received(1), lost);
                    return true;
                }))
                .withMessageContaining("is gone");
    }

    @Test
    default void anEventThatSomebodyElseFinishedMeanwhileCannotBeSettledWhereStatesAreKept() {
        Admission.Admitted lost = rolledBackAdmission();
        consume(received(1)); // by whoever got the other copy

        if (fixture().traits().keepsStates()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> process().transactions().inTransaction(() -> {
                        done(received(1), lost);
                        return true;
                    }));
        }
        assertThat(fixture().effects()).containsExactly("event-1");
    }

    /** Admits an event in a transaction that is then rolled back, as MySQL does by itself at a deadlock. */
    private Admission.Admitted rolledBackAdmission() {
        AtomicReference<Admission.Admitted> admitted = new AtomicReference<>();
        assertThatExceptionOfType(RolledBack.class)
                .isThrownBy(() -> process().transactions().inTransaction(() -> {
                    admitted.set((Admission.Admitted) admit(received(1)));
                    throw new RolledBack();
                }));
        return Objects.requireNonNull(admitted.get());
    }

    @Test
    default void aRepeatIsAlreadyDone() {
        assertThat(consume(received(1))).isInstanceOf(Admission.Admitted.class);
        String before = row(received(1)).everything();

        assertThat(consume(received(1))).isEqualTo(new Admission.AlreadyDone());
        assertThat(fixture().process(InboxFixture.Isolation.REPEATABLE_READ))
                .satisfies(other -> assertThat(consume(other, received(1))).isEqualTo(new Admission.AlreadyDone()));
        assertThat(fixture().effects()).containsExactly("event-1");
        assertThat(row(received(1)).everything()).isEqualTo(before);
    }

    @Test
    default void aHandledEventKeepsItsCost() {
        consume(received(1));

        assertThat(row(received(1)).costKnown()).isEqualTo(fixture().traits().keepsCost());
        assertThat(row(received(1)).error()).isNull();
    }

    @Test
    default void anIgnoredEventIsDoneAndKeepsItsReason() {
        process().transactions().inTransaction(() -> {
            var admitted = (Admission.Admitted) admit(received(1));
            store().settle(
                            received(1).event(),
                            GROUP,
                            admitted,
                            HandlerResult.ignored("STATUS_NOT_CREATED"),
                            Duration.ZERO);
            return true;
        });

        assertThat(consume(received(1))).isEqualTo(new Admission.AlreadyDone());
        assertThat(store().lastError("event-1", GROUP)).as("it did not fail").isEmpty();
        if (fixture().traits().distinguishesIgnored()) {
            assertThat(row(received(1)).state()).isEqualTo("IGNORED");
        }
        assertThat(row(received(1)).error()).isEqualTo(fixture().traits().keepsErrors() ? "STATUS_NOT_CREATED" : null);
    }

    @Test
    default void aRollbackRemovesTheRow() {
        assertThatExceptionOfType(RolledBack.class)
                .isThrownBy(() -> process().transactions().inTransaction(() -> {
                    consumeInside(process(), received(1));
                    throw new RolledBack();
                }));

        assertThat(fixture().row("event-1", GROUP)).isNull();
        assertThat(consume(received(1))).isInstanceOf(Admission.Admitted.class);
        assertThat(fixture().effects()).containsExactly("event-1");
    }

    @Test
    default void aProcessThatDiesBeforeItsCommitBlocksNothing() {
        fixture()
                .dieAfter(store ->
                        assertThat(store.admit(received(1).event(), GROUP)).isInstanceOf(Admission.Admitted.class));

        Admission admission = consume(received(1));
        while (admission instanceof Admission.InProgress) { // until the database has noticed
            admission = consume(received(1));
        }
        assertThat(admission).isInstanceOf(Admission.Admitted.class);
        assertThat(fixture().effects()).containsExactly("event-1");
    }

    @Test
    default void whatOtherSoftwareLeftBehindIsAdmitted() {
        fixture().insertStale("event-1", GROUP);

        Admission admission = consume(received(1));

        if (fixture().traits().keepsStates()) {
            assertThat(admission).isInstanceOf(Admission.Admitted.class);
            assertThat(row(received(1)).done()).isTrue();
        } else {
            assertThat(admission).as("a row means done").isEqualTo(new Admission.AlreadyDone());
        }
    }

    @Test
    default void everyGroupHandlesAnEventOnce() {
        consume(received(1));

        if (fixture().traits().keepsGroups()) {
            assertThat(consume(received(1, "billing"))).isInstanceOf(Admission.Admitted.class);
            assertThat(consume(received(1, "billing"))).isEqualTo(new Admission.AlreadyDone());
            assertThat(fixture().effects()).containsExactly("event-1", "event-1");
        } else {
            assertThatExceptionOfType(StoreException.class)
                    .as("taking the other group's row for ours would lose the event")
                    .isThrownBy(() -> consume(received(1, "billing")))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.MISCONFIGURED))
                    .withMessageContaining(GROUP);
        }
    }

    @Test
    default void severalEventsFitIntoOneTransaction() {
        process().transactions().inTransaction(() -> {
            for (int i = 0; i < 10; i++) {
                assertThat(consumeInside(process(), received(i))).isInstanceOf(Admission.Admitted.class);
            }
            assertThat(admit(received(3))).as("done in this very transaction").isEqualTo(new Admission.AlreadyDone());
            return true;
        });
        assertThat(fixture().effects()).hasSize(10);
    }

    @Test
    default void anIdThatDoesNotFitIsRefusedAndNotCut() {
        String same = "x".repeat(fixture().traits().idLength());
        Received longer = Received.of(same + "1", "OrderCreated", GROUP, null);

        assertThat(consume(Received.of(same, "OrderCreated", GROUP, null))).isInstanceOf(Admission.Admitted.class);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> consume(longer))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.VALUE));
    }

    @Test
    default void longTypesAndTracesAreAccepted() {
        assertThat(consume(Received.of("event-1", "T".repeat(500), GROUP, "t".repeat(500))))
                .isInstanceOf(Admission.Admitted.class);
    }

    @Test
    default void theCallersLockTimeOutStaysAsItWas() {
        consume(received(1));
        process().transactions().inTransaction(() -> {
            consumeInside(process(), received(1));
            consumeInside(process(), received(2));
            assertThat(fixture().lockWait(process())).isEqualTo(fixture().usualLockWait());
            return true;
        });
    }

    @Test
    default void admittingNeedsATransaction() {
        assertThatExceptionOfType(NoTransactionException.class).isThrownBy(() -> admit(received(1)));
    }
}
