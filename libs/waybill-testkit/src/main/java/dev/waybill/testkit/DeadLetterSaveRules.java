package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Save, list and count: every dead letter is stored once and unchanged, until an operator decides about it. */
interface DeadLetterSaveRules extends DeadLetterStoreRules {

    @Test
    default void aLetterComesBackAsItWas() {
        DeadLetter letter = letter("k1", "stock", "no stock");
        store().save(letter, "event-k1", "OrderCreated");

        StoredLetter saved = store().list(Filter.any(), 10, 0).get(0);

        assertThat(saved.letter()).usingRecursiveComparison().isEqualTo(letter);
        assertThat(saved.eventId()).isEqualTo("event-k1");
        assertThat(saved.eventType()).isEqualTo("OrderCreated");
        assertThat(saved.state()).isEqualTo(State.OPEN);
        assertThat(saved.replays()).isZero();
        assertThat(Duration.between(saved.deadAt(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
        assertThat(found(saved)).usingRecursiveComparison().isEqualTo(saved);
        assertThat(store().summaries(Filter.any(), 10, 0)).containsExactly(LetterSummary.of(saved));
        assertThat(store().summaries(Filter.any(), 10, saved.id())).isEmpty();
        assertThat(store().find(saved.id() + 1_000)).isEmpty();
    }

    @Test
    default void aLetterThatCannotBeDecodedIsSavedToo() {
        byte[] bytes = new byte[5 * 1024 * 1024];
        new Random(7).nextBytes(bytes);
        store().save(new DeadLetter("k1", "q", "stock", null, Map.of(), bytes, null), null, null);

        StoredLetter saved = store().list(Filter.any(), 10, 0).get(0);

        assertThat(saved.letter().body()).isEqualTo(bytes);
        assertThat(saved.letter().messageId()).isNull();
        assertThat(saved.letter().error()).isNull();
        assertThat(saved.eventId()).isNull();
        assertThat(saved.eventType()).isNull();
    }

    @Test
    default void aLongErrorIsCut() {
        store().save(letter("k1", "stock", "错".repeat(5_000)), "event-k1", "T".repeat(500));

        assertThat(store().list(Filter.any(), 10, 0).get(0).letter().error()).startsWith("错错错");
    }

    @Test
    default void theSameLetterIsSavedOnceHoweverManyCollectorsSaveIt() {
        List<CompletableFuture<Void>> collectors = IntStream.range(0, 6)
                .mapToObj(number -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < 5; i++) {
                                store().save(letter("k" + i, "stock", "no stock"), "event-" + i, "OrderCreated");
                            }
                        },
                        ContractThreads.OWN_THREAD))
                .toList();
        collectors.forEach(
                collector -> collector.orTimeout(20, TimeUnit.SECONDS).join());

        assertThat(store().list(Filter.any(), 100, 0))
                .extracting(saved -> saved.letter().key())
                .containsExactlyInAnyOrder("k0", "k1", "k2", "k3", "k4");
    }

    @Test
    default void lettersOfTwoGroupsAreTwoLetters() {
        store().save(letter("k1", "stock", "no stock"), "event-1", "OrderCreated");
        store().save(letter("k1", "billing", "no address"), "event-1", "OrderCreated");

        assertThat(store().count(Filter.any())).isEqualTo(2);
    }

    @Test
    default void aLetterThatIsSavedAgainKeepsItsState() {
        StoredLetter discarded = save("k1");
        StoredLetter replayed = save("k2");
        StoredLetter replaying = save("k3");
        store().discard(List.of(discarded.id()), ANN);
        store().beginReplay(List.of(replayed.id(), replaying.id()), ANN);
        store().replayed(replayed.id());

        List.of("k1", "k2", "k3").forEach(this::save);

        assertThat(store().list(Filter.any(), 10, 0))
                .extracting(StoredLetter::state)
                .containsExactly(State.DISCARDED, State.REPLAYED, State.REPLAYING);
    }

    @Test
    default void anEventThatIsDeadLetteredAgainAfterAReplayIsOpenAndCountsItsReplays() {
        StoredLetter first = save("k1");
        store().beginReplay(List.of(first.id()), ANN);
        store().replayed(first.id());
        store().save(letter("k1-again", "stock", "still no stock"), "event-k1", "OrderCreated");

        List<StoredLetter> open = store().list(new Filter(null, null, null, null, null, null, State.OPEN), 10, 0);

        assertThat(open).hasSize(1);
        assertThat(open.get(0).letter().error()).isEqualTo("still no stock");
        assertThat(open.get(0).replays()).isEqualTo(1);
        assertThat(found(first).state()).isEqualTo(State.REPLAYED);
    }

    @Test
    default void lettersAreListedOldestFirstPageByPage() {
        IntStream.range(0, 5).forEach(number -> save("k" + number));

        List<StoredLetter> page = store().list(Filter.any(), 2, 0);
        List<StoredLetter> next = store().list(Filter.any(), 10, page.get(1).id());

        assertThat(page).extracting(saved -> saved.letter().key()).containsExactly("k0", "k1");
        assertThat(next).extracting(saved -> saved.letter().key()).containsExactly("k2", "k3", "k4");
    }

    @Test
    default void everyFilterFilters() {
        store().save(letter("k1", "stock", "100% of A_1 gone! it's over"), "e1", "OrderCreated");
        store().save(letter("k2", "billing", "100 of AB1"), "e2", "OrderPaid");
        Instant now = Instant.now();

        assertThat(keys(new Filter("order.queue", null, null, null, null, null, null)))
                .containsExactly("k1", "k2");
        assertThat(keys(new Filter("other", null, null, null, null, null, null)))
                .isEmpty();
        assertThat(keys(new Filter(null, "billing", null, null, null, null, null)))
                .containsExactly("k2");
        assertThat(keys(new Filter(null, null, "OrderCreated", null, null, null, null)))
                .containsExactly("k1");
        assertThat(keys(error("0% of"))).containsExactly("k1");
        assertThat(keys(error("a_1"))).containsExactly("k1");
        assertThat(keys(error("gone! it's"))).containsExactly("k1");
        assertThat(keys(error("of "))).containsExactly("k1", "k2");
        assertThat(keys(new Filter(null, null, null, null, now.minusSeconds(600), now.plusSeconds(600), null)))
                .containsExactly("k1", "k2");
        assertThat(keys(new Filter(null, null, null, null, now.plusSeconds(600), null, null)))
                .isEmpty();
        assertThat(keys(new Filter(null, null, null, null, null, now.minusSeconds(600), null)))
                .isEmpty();
        assertThat(keys(new Filter(null, null, null, null, null, null, State.DISCARDED)))
                .isEmpty();
        assertThat(keys(new Filter("order.queue", "stock", "OrderCreated", "gone", null, null, State.OPEN)))
                .containsExactly("k1");
    }

    private static Filter error(String part) {
        return new Filter(null, null, null, part, null, null, null);
    }

    private List<String> keys(Filter filter) {
        List<String> keys = store().list(filter, 100, 0).stream()
                .map(saved -> saved.letter().key())
                .toList();
        assertThat(store().count(filter)).isEqualTo(keys.size());
        return keys;
    }
}
