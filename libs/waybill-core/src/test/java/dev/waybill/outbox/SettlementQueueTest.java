package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class SettlementQueueTest {

    private final SettlementQueue queue = new SettlementQueue(1_000, Duration.ofMillis(100));

    @Test
    void whoeverWaitsIsWokenWhenThereAreAsManyAsItAskedFor() throws InterruptedException {
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> await(3, Duration.ofSeconds(30)));
        queue.add(settlement());
        queue.add(settlement());
        assertThat(waiting).isNotDone();
        queue.add(settlement());

        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void patienceEndsWithFewerThanWereAskedFor() {
        queue.add(settlement());
        await(3, Duration.ofMillis(5));

        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void enoughForAStatementDoNotWaitWhenNoMoreAreOnTheirWay() {
        add(32);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> awaitMore(() -> true));

        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void fewerWaitOnHoweverQuietItIs() {
        add(31);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> awaitMore(() -> true));
        assertThat(waiting).failsWithin(Duration.ofMillis(200)); // more than ten lulls

        add(1);
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void aLullEndsNoBatchWhileMoreAreOnTheirWay() {
        AtomicBoolean noMore = new AtomicBoolean();
        add(32);
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> awaitMore(noMore::get));
        assertThat(waiting).failsWithin(Duration.ofMillis(200));

        noMore.set(true);
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void manyWaitForMoreTwiceAsLongAsAFew() throws InterruptedException {
        List<Settlement> taken = new ArrayList<>();
        add(31);
        long few = System.nanoTime();
        queue.fill(taken, () -> true);
        assertThat(Duration.ofNanos(System.nanoTime() - few)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
        assertThat(taken).hasSize(31);

        taken.clear();
        add(32);
        long many = System.nanoTime();
        queue.fill(taken, () -> true);
        assertThat(Duration.ofNanos(System.nanoTime() - many)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        assertThat(taken).hasSize(32);
    }

    @Test
    void settlementsComeOutInTheirOrderAndNoMoreThanWanted() {
        List<Settlement> put = List.of(settlement(), settlement(), settlement());
        put.forEach(queue::add);
        List<Settlement> taken = new ArrayList<>();
        queue.takeInto(taken, 2);
        assertThat(taken).containsExactly(put.get(0), put.get(1));

        queue.takeInto(taken, 2);
        assertThat(taken).isEqualTo(put);
    }

    private void await(int many, Duration patience) {
        try {
            queue.await(many, patience.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(int many) {
        for (int i = 0; i < many; i++) {
            queue.add(settlement());
        }
    }

    private void awaitMore(BooleanSupplier noMore) {
        try {
            queue.await(1_000, Duration.ofMinutes(5).toNanos(), noMore);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Settlement settlement() {
        return new Settlement.Released(new ClaimedEvent("1", Event.of("Test", "{}"), 0, ""), Duration.ZERO);
    }
}
