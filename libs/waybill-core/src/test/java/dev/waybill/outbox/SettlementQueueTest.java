package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SettlementQueueTest {

    private final SettlementQueue tray = new SettlementQueue();

    @Test
    void whoeverWaitsIsWokenWhenThereAreAsManyAsItAskedFor() throws InterruptedException {
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> await(3, Duration.ofSeconds(30)));
        tray.add(ending());
        tray.add(ending());
        assertThat(waiting).isNotDone();
        tray.add(ending());

        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void patienceEndsWithFewerThanWereAskedFor() {
        tray.add(ending());
        await(3, Duration.ofMillis(5));

        assertThat(tray.size()).isEqualTo(1);
    }

    @Test
    void aFewThatGetNoCompanyDoNotWaitForIt() {
        tray.add(ending());
        tray.add(ending());
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> awaitCompany(2));

        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void fewerThanAFewWaitOnHoweverQuietItIs() {
        tray.add(ending());
        CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> awaitCompany(2));
        assertThat(waiting).failsWithin(Duration.ofMillis(200)); // fifty times the lull

        tray.add(ending());
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void endingsComeOutInTheirOrderAndNoMoreThanWanted() {
        List<Ending> put = List.of(ending(), ending(), ending());
        put.forEach(tray::add);
        List<Ending> taken = new ArrayList<>();
        tray.takeInto(taken, 2);
        assertThat(taken).containsExactly(put.get(0), put.get(1));

        tray.takeInto(taken, 2);
        assertThat(taken).isEqualTo(put);
    }

    private void await(int many, Duration patience) {
        try {
            tray.await(many, patience.toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitCompany(int few) {
        try {
            tray.await(
                    1_000,
                    Duration.ofMinutes(5).toNanos(),
                    few,
                    Duration.ofMillis(4).toNanos());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Ending ending() {
        ClaimedEvent claimed = new ClaimedEvent("1", Event.of("Test", "{}"), 0, "");
        return new Ending.GivenBack(new Held(claimed, 0, 0, false), Duration.ZERO);
    }
}
