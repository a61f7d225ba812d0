package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.store.Admission;
import dev.waybill.store.StoreException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Sweep and verify: old rows go, and a table that cannot be used is refused. */
interface InboxSweepRules extends InboxRules {

    Duration AN_HOUR = Duration.ofHours(1);

    @Test
    default void onlyWhatIsDoneAndOldIsSwept() {
        consume(received(1));
        consume(received(2));
        fail(received(3), "still waiting");
        fixture().makeOld();
        consume(received(4));

        assertThat(store().sweep(AN_HOUR, 100)).isEqualTo(2);

        assertThat(fixture().row("event-1", GROUP)).isNull();
        assertThat(fixture().row("event-3", GROUP) != null)
                .isEqualTo(fixture().traits().keepsStates());
        assertThat(row(received(4)).done()).isTrue();
        assertThat(store().sweep(AN_HOUR, 100)).isZero();
        assertThat(consume(received(4))).isEqualTo(new Admission.AlreadyDone());
    }

    @Test
    default void whatFailedIsSweptByAnAgeOfItsOwn() {
        consume(received(1));
        fail(received(2), "first");
        fail(received(2), "second");
        fail(received(3), "first");
        fixture().makeOld();
        fail(received(4), "a moment ago");
        int kept = fixture().traits().keepsStates() ? 1 : 0;

        assertThat(store().sweepFailed(Duration.ofDays(2), 100)).isZero();
        assertThat(store().sweepFailed(AN_HOUR, 1)).isEqualTo(kept);
        assertThat(store().sweepFailed(AN_HOUR, 100)).isEqualTo(kept);

        assertThat(fixture().row("event-2", GROUP)).isNull();
        assertThat(row(received(1)).done()).as("done rows have another age").isTrue();
        assertThat(fixture().row("event-4", GROUP) != null).isEqualTo(kept == 1);
        assertThat(consume(received(2)))
                .as("a message that comes all the same")
                .isEqualTo(new Admission.Admitted("event-2", 0));
        assertThat(fixture().effects()).containsExactly("event-1", "event-2");
    }

    @Test
    default void whatIsBeingHandledAgainIsNotSwept() {
        fail(received(2), "first");
        fail(received(3), "first");
        fixture().makeOld();
        try (InboxRaceRules.OpenTransaction open = new InboxRaceRules.OpenTransaction(this, process(), 2)) {
            assertThat(store().sweepFailed(AN_HOUR, 100))
                    .isEqualTo(fixture().traits().keepsStates() ? 1 : 0);
            open.end(true);
        }
        assertThat(row(received(2)).done()).isTrue();
    }

    @Test
    default void aSweepTakesNoMoreThanItsLimit() {
        process().transactions().inTransaction(() -> {
            for (int i = 0; i < 230; i++) {
                done(received(i), (Admission.Admitted) admit(received(i)));
            }
            return true;
        });
        fixture().makeOld();

        assertThat(store().sweep(AN_HOUR, 5)).isEqualTo(5);
        assertThat(store().sweep(AN_HOUR, 10_000)).isEqualTo(225);
    }

    @Test
    default void aSweepDoesNotWaitForWhatIsBeingHandled() {
        consume(received(1));
        fixture().makeOld();
        try (InboxRaceRules.OpenTransaction open = new InboxRaceRules.OpenTransaction(this, process(), 2)) {
            assertThat(store().sweep(AN_HOUR, 100)).isEqualTo(1);
            open.end(true);
        }
        assertThat(row(received(2)).done()).isTrue();
    }

    @Test
    default void aSoundTableIsVerified() {
        store().verify(GROUP);
        store().verify(GROUP);
    }

    @Test
    default void aSecondGroupIsRefusedWhereEachEventHasOneConsumer() {
        store().verify(GROUP);
        if (fixture().traits().keepsGroups()) {
            store().verify("billing");
            return;
        }
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store().verify("billing"))
                .withMessageContaining(GROUP)
                .withMessageContaining("billing");
        consume(received(1));
        assertThatExceptionOfType(StoreException.class)
                .as("another process, which sees only the rows")
                .isThrownBy(() -> fixture()
                        .process(InboxFixture.Isolation.REPEATABLE_READ)
                        .store()
                        .verify("billing"))
                .withMessageContaining(GROUP);
    }

    @Test
    default void aDatabaseThatIsUpAnswers() {
        assertThat(store().answers()).isTrue();
    }
}
