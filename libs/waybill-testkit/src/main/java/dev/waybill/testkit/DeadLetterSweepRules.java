package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sweep: settled letters and decisions about letters go once they are old; what nobody has settled stays. */
interface DeadLetterSweepRules extends DeadLetterStoreRules {

    Duration AN_HOUR = Duration.ofHours(1);

    @Test
    default void onlyLettersThatAreSettledAndOldAreSwept() {
        replayed(save("replayed"));
        discarded(save("discarded"));
        save("open");
        store().beginReplay(List.of(save("replaying").id()), ANN);
        fixture().makeOld();
        discarded(save("young"));

        assertThat(store().sweepSettled(AN_HOUR, 1)).isEqualTo(1);
        assertThat(store().sweepSettled(AN_HOUR, 100)).isEqualTo(1);

        assertThat(store().list(Filter.any(), 100, 0))
                .extracting(StoredLetter::state)
                .containsExactly(State.OPEN, State.REPLAYING, State.DISCARDED);
        assertThat(store().sweepSettled(AN_HOUR, 100)).isZero();
    }

    @Test
    default void aLetterThatComesAgainAfterItsSweepIsANewOne() {
        StoredLetter before = discarded(save("k1"));
        fixture().makeOld();
        store().sweepSettled(AN_HOUR, 100);

        StoredLetter again = save("k1");

        assertThat(again.id()).isNotEqualTo(before.id());
        assertThat(again.state()).isEqualTo(State.OPEN);
    }

    @Test
    default void decisionsAboutLettersAreSweptOnceTheyAreOld() {
        discarded(save("k1"));
        discarded(save("k2"));
        fixture().makeOld();
        StoredLetter young = discarded(save("k3"));

        assertThat(store().sweepAudit(AN_HOUR, 1)).isEqualTo(1);
        assertThat(store().sweepAudit(AN_HOUR, 100)).isEqualTo(1);

        assertThat(fixture().audit())
                .singleElement()
                .satisfies(record -> assertThat(record).contains(" " + young.id() + " event-k3"));
    }

    private StoredLetter discarded(StoredLetter letter) {
        assertThat(store().discard(List.of(letter.id()), ANN)).isEqualTo(1);
        return letter;
    }

    private void replayed(StoredLetter letter) {
        store().beginReplay(List.of(letter.id()), ANN);
        store().replayed(letter.id());
    }
}
