package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Replay, edit and discard: only OPEN letters, each by one operator, audited, and not undone by a restart. */
interface DeadLetterOperatorRules extends DeadLetterStoreRules {

    @Test
    default void aReplayGoesFromOpenOverReplayingToReplayed() {
        StoredLetter one = save("k1");
        StoredLetter two = save("k2");

        List<StoredLetter> begun = store().beginReplay(List.of(one.id(), two.id(), 999_999L), ANN);

        assertThat(begun).extracting(StoredLetter::id).containsExactly(one.id(), two.id());
        assertThat(begun).extracting(StoredLetter::state).containsOnly(State.REPLAYING);
        assertThat(begun.get(0).letter().body()).isEqualTo(one.letter().body());
        store().replayed(one.id());
        store().replayFailed(two.id(), "broker is down");
        assertThat(found(one).state()).isEqualTo(State.REPLAYED);
        assertThat(found(one).replays()).isEqualTo(1);
        assertThat(found(two).state()).isEqualTo(State.OPEN);
        assertThat(found(two).replays()).isZero();
        assertThat(found(two).letter().error()).isEqualTo("broker is down");
        assertThat(store().takeOver(Duration.ZERO, 10)).isEmpty();
        assertThat(fixture().audit())
                .containsExactly(
                        "REPLAY ann fixed the handler " + one.id() + " event-k1 ",
                        "REPLAY ann fixed the handler " + two.id() + " event-k2 ");
    }

    @Test
    default void whatIsPutBackIsOpenWithTheErrorThatItHad() {
        StoredLetter one = save("k1");
        store().beginReplay(List.of(one.id()), ANN);

        store().putBack(one.id());

        assertThat(found(one).state()).isEqualTo(State.OPEN);
        assertThat(found(one).letter().error()).isEqualTo(one.letter().error());
        assertThat(found(one).replays()).isZero();
        assertThat(found(one).changedAt()).isAfterOrEqualTo(one.changedAt());
    }

    @Test
    default void whatACrashLeftReplayingIsTakenOverOnceItIsOldEnough() {
        StoredLetter one = save("k1");
        StoredLetter two = save("k2");
        store().beginReplay(List.of(one.id(), two.id()), ANN);

        assertThat(fixture().restarted().takeOver(Duration.ofMinutes(1), 10))
                .as("may still be under way")
                .isEmpty();
        assertThat(fixture().restarted().takeOver(Duration.ZERO, 10))
                .extracting(StoredLetter::id)
                .containsExactly(one.id(), two.id());
        assertThat(store().takeOver(Duration.ZERO, 1)).hasSize(1);
        assertThat(fixture().audit())
                .as("one audit record for each letter, and none for the take-over")
                .hasSize(2);
    }

    @Test
    default void twoOperatorsNeverReplayTheSameLetter() {
        List<Long> ids = IntStream.range(0, 20)
                .mapToObj(number -> save("k" + number).id())
                .toList();
        List<Long> backwards = new ArrayList<>(ids);
        java.util.Collections.reverse(backwards);
        CountDownLatch start = new CountDownLatch(1);
        List<CompletableFuture<List<StoredLetter>>> operators = List.of(ids, backwards, ids).stream()
                .map(each -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                assertThat(start.await(5, TimeUnit.SECONDS)).isTrue();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return store().beginReplay(each, ANN);
                        },
                        ContractThreads.OWN_THREAD))
                .toList();
        start.countDown();

        List<Long> begun = operators.stream()
                .flatMap(operator -> operator.orTimeout(20, TimeUnit.SECONDS).join().stream())
                .map(StoredLetter::id)
                .toList();

        assertThat(begun).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(fixture().audit()).hasSize(20);
    }

    @Test
    default void anEditedBodyIsWhatIsReplayedAndTheOldOneStaysInTheAudit() {
        StoredLetter saved = save("k1");
        byte[] better = "{\"key\":\"better\"}".getBytes(StandardCharsets.UTF_8);

        assertThat(store().edit(saved.id(), better, new OperatorDecision("bob", "typo")))
                .isTrue();

        assertThat(fixture().restarted().find(saved.id()).orElseThrow().letter().body())
                .isEqualTo(better);
        assertThat(store().beginReplay(List.of(saved.id()), ANN).get(0).letter().body())
                .isEqualTo(better);
        assertThat(fixture().audit().get(0)).isEqualTo("EDIT bob typo " + saved.id() + " event-k1 {\"key\":\"k1\"}");
        assertThat(store().edit(saved.id(), better, ANN)).as("no longer OPEN").isFalse();
        assertThat(store().edit(999_999L, better, ANN)).isFalse();
        assertThat(fixture().audit()).hasSize(2);
    }

    @Test
    default void anOldBodyThatIsNoTextIsAuditedAsBytes() {
        StoredLetter saved = save("k1");
        store().edit(saved.id(), new byte[] {0, -1, -2}, ANN);
        store().edit(saved.id(), new byte[] {1}, ANN);

        assertThat(fixture().audit().get(1)).endsWith(" base64:AP/+");
    }

    @Test
    default void aDiscardedLetterStaysDiscarded() {
        StoredLetter one = save("k1");
        StoredLetter two = save("k2");

        assertThat(store().discard(List.of(one.id(), 999_999L), new OperatorDecision("bob", "test data")))
                .isEqualTo(1);

        assertThat(fixture().restarted().find(one.id()).orElseThrow().state()).isEqualTo(State.DISCARDED);
        assertThat(store().count(new Filter(null, null, null, null, null, null, State.OPEN)))
                .isEqualTo(1);
        assertThat(fixture().audit()).containsExactly("DISCARD bob test data " + one.id() + " event-k1 ");
        assertThat(store().discard(List.of(one.id()), ANN)).isZero();
        assertThat(store().beginReplay(List.of(one.id()), ANN)).isEmpty();
        assertThat(found(two).state()).isEqualTo(State.OPEN);
    }

    @Test
    default void onlyWhatIsBeingReplayedCanEndItsReplay() {
        StoredLetter open = save("k1");

        store().replayed(open.id());
        store().replayFailed(open.id(), "late");

        assertThat(found(open)).usingRecursiveComparison().isEqualTo(open);
    }

    @Test
    default void decidingAboutNothingDoesNothing() {
        assertThat(store().beginReplay(List.of(), ANN)).isEmpty();
        assertThat(store().discard(List.of(), ANN)).isZero();
        assertThat(fixture().audit()).isEmpty();
    }
}
