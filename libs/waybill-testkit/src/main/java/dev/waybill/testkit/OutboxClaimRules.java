package dev.waybill.testkit;

import static dev.waybill.testkit.ContractThreads.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimLimit;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Claim: due rows, longest due first, each to one relay, and nobody waits for the locks of a claim. */
interface OutboxClaimRules extends OutboxRules {

    @Test
    default void rowsAreClaimedInTheOrderOfTheirCreation() {
        List<ClaimedEvent> appended = appendDue(20);

        assertThat(ids(claim(100))).isEqualTo(ids(appended));
    }

    @Test
    default void theLongestDueComesFirst() {
        List<ClaimedEvent> late = append(null, List.of(event(1)));
        fixture().makeDue();
        List<ClaimedEvent> young = append(null, List.of(event(2)));
        fixture().makeDue(); // the first is now twice as late

        assertThat(ids(claim(1))).isEqualTo(ids(late));
        assertThat(ids(claim(1))).isEqualTo(ids(young));
    }

    @Test
    default void aClaimTakesNoMoreThanItsLimit() {
        appendDue(10);

        assertThat(claim(4)).hasSize(4);
        assertThat(claim(4)).hasSize(4);
        assertThat(claim(4)).hasSize(2);
        assertThat(claim(4)).isEmpty();
        assertThat(claim(0)).isEmpty();
    }

    @Test
    default void aClaimTakesNoMoreBytesThanItsLimitButAlwaysOneRow() {
        List<Event> large = events(6).stream()
                .map(event -> event.toBuilder()
                        .payload("{\"text\":\"" + "x".repeat(20_000) + "\"}")
                        .build())
                .toList();
        List<ClaimedEvent> appended = append(null, large);

        List<ClaimedEvent> three = events(store().claim(MINE, new ClaimLimit(100, 70_000), Set.of()));
        List<ClaimedEvent> one = events(store().claim(MINE, new ClaimLimit(100, 1), Set.of()));

        assertThat(ids(three)).isEqualTo(ids(appended.subList(0, 3)));
        assertThat(ids(one)).isEqualTo(ids(appended.subList(3, 4)));
        assertThat(ids(claim(100))).isEqualTo(ids(appended.subList(4, 6)));
    }

    @Test
    default void rowsThatBecomeDueBeforeTheClaimsPositionAreNotPassedOver() {
        append(THEIRS, List.of(event(100)));
        appendDue(6);
        assertThat(claim(4)).hasSize(4);
        fixture().makeDue(); // all seven, the four claimed ones too

        assertThat(claim(100)).hasSize(7);
    }

    @Test
    default void rowsOfAClaimThatFailedAreTheNextOnes() {
        AtomicBoolean fails = new AtomicBoolean();
        OutboxStore store = fixture().storeThatPauses(() -> {
            if (fails.get()) {
                throw new IllegalStateException("before the commit");
            }
        });
        List<ClaimedEvent> appended = new ArrayList<>();
        for (Event event : events(6)) {
            appended.addAll(append(null, List.of(event)));
            fixture().makeDue(); // each an hour later than the one before
        }

        assertThat(store.claim(MINE, 2, Set.of())).hasSize(2);
        fails.set(true);
        assertThatThrownBy(() -> store.claim(MINE, 2, Set.of())).isInstanceOf(IllegalStateException.class);
        fails.set(false);
        assertThat(ids(events(store.claim(MINE, 2, Set.of())))).isEqualTo(ids(appended.subList(2, 4)));
    }

    @Test
    default void rowsThatAreNotDueAreNotClaimed() {
        List<ClaimedEvent> appended = appendDue(2);
        List<ClaimedEvent> claimed = claim(2);
        store().settle(List.of(new Settlement.Retry(claimed.get(0), Duration.ofMinutes(5), "later")));

        assertThat(claim(10)).isEmpty();
        assertThat(row(appended.get(0)).dueIn()).isGreaterThan(Duration.ofMinutes(4));
    }

    @Test
    default void aRowWithoutADueTimeIsDue() {
        List<ClaimedEvent> appended = append(MINE, events(2));
        assertThat(claim(10)).isEmpty();
        if (fixture().traits().dueMayBeMissing()) {
            fixture().removeDue();
        } else {
            fixture().makeDue();
        }

        assertThat(ids(claim(10))).isEqualTo(ids(appended));
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void freshAndRetriedRowsAreBothClaimed() {
        appendDue(2);
        store().settle(List.of(new Settlement.Retry(claim(1).get(0), Duration.ZERO, "again")));
        fixture().makeDue();

        List<ClaimedEvent> claimed = claim(10);

        assertThat(claimed).hasSize(2);
        assertThat(claimed).extracting(ClaimedEvent::attempts).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    default void neitherFreshNorRetriedRowsStarve() {
        appendDue(40);
        List<Settlement> again = new ArrayList<>();
        claim(20).forEach(row -> again.add(new Settlement.Retry(row, Duration.ZERO, "again")));
        store().settle(again);
        fixture().makeDue();

        List<ClaimedEvent> taken = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            taken.addAll(claim(10));
        }
        assertThat(taken).hasSize(40);
        assertThat(ids(taken)).doesNotHaveDuplicates();
    }

    @Test
    default void settledRowsAreNeverClaimed() {
        appendDue(2);
        List<ClaimedEvent> claimed = claim(2);
        store().settle(List.of(new Settlement.Sent(claimed.get(0), "b"), new Settlement.Dead(claimed.get(1), "no")));
        fixture().makeDue();

        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void topicsThatAreDownStayUntouched() {
        append(null, List.of(to("UP", 1), to("DOWN", 2), to("UP", 3), event(4)));

        List<ClaimedEvent> claimed = events(store().claim(MINE, 10, Set.of("DOWN", "OTHER")));
        if (fixture().traits().storesTopics()) {
            assertThat(claimed).hasSize(3);
            assertThat(claimed)
                    .extracting(row -> String.valueOf(row.event().destination()))
                    .doesNotContain("DOWN:tag");
            assertThat(claim(10))
                    .singleElement()
                    .satisfies(row -> assertThat(row.event().bizKey()).isEqualTo("ORD2"));
        } else {
            assertThat(claimed).as("a table without topics gives all").hasSize(4);
        }
    }

    @Test
    default void aClaimLeavesOutThousandsOfTopics() {
        append(null, List.of(to("UP", 1), to("DOWN-1999", 2)));
        Set<String> down =
                IntStream.range(0, 2_000).mapToObj(number -> "DOWN-" + number).collect(Collectors.toSet());

        assertThat(store().claim(MINE, 10, down)).hasSize(fixture().traits().storesTopics() ? 1 : 2);
    }

    private Event to(String topic, int number) {
        return event(number).toBuilder()
                .destination(Destination.of(topic, "tag"))
                .build();
    }

    @Test
    default void manyClaimersNeverTakeARowTwiceAndLeaveNone() throws Exception {
        int rows = 300;
        Set<String> wanted = Set.copyOf(ids(appendDue(rows)));
        ConcurrentLinkedQueue<String> taken = new ConcurrentLinkedQueue<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> claimers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                OutboxStore store = i % 2 == 0 ? store() : otherStore();
                Lease lease = new Lease("relay-" + i, Duration.ofSeconds(60));
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                claimers.add(threads.submit(() -> {
                    while (taken.size() < rows && System.nanoTime() < deadline) {
                        taken.addAll(ids(store.claim(lease, 17, Set.of())));
                    }
                }));
            }
            for (Future<?> claimer : claimers) {
                claimer.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(taken).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    default void anOpenClaimLocksOnlyWhatItTakesAndNoBusinessInsertWaits() throws Exception {
        appendDue(10);
        CountDownLatch locked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        OutboxStore slow = fixture().storeThatPauses(() -> {
            locked.countDown();
            await(goOn);
        });
        CompletableFuture<List<ClaimedEvent>> held =
                CompletableFuture.supplyAsync(() -> events(slow.claim(THEIRS, 4, Set.of())), OWN_THREAD);
        try {
            assertThat(locked.await(10, TimeUnit.SECONDS)).isTrue();

            assertThat(quickly(() -> append(null, List.of(event(100))))).hasSize(1);
            assertThat(quickly(() -> append(MINE, List.of(event(101))))).hasSize(1);
            assertThat(quickly(() -> claim(100)))
                    .as("all but the four, and the new one")
                    .hasSize(7);
        } finally {
            goOn.countDown();
        }
        assertThat(held.get(10, TimeUnit.SECONDS)).hasSize(4);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T quickly(java.util.function.Supplier<T> work)
            throws ExecutionException, InterruptedException, TimeoutException {
        return CompletableFuture.supplyAsync(work, OWN_THREAD).get(3, TimeUnit.SECONDS);
    }

    @Test
    default void aThousandRowsAreAppendedClaimedAndSettledAtOnce() {
        List<ClaimedEvent> appended = append(null, events(1_000));
        assertThat(appended).hasSize(1_000);

        List<ClaimedEvent> claimed = claim(1_000);
        assertThat(ids(claimed)).isEqualTo(ids(appended));

        List<Settlement> sent = new ArrayList<>();
        claimed.forEach(row -> sent.add(new Settlement.Sent(row, "b-" + row.rowKey())));
        assertThat(store().settle(sent)).isEqualTo(1_000);
        assertThat(store().backlog().sent()).isEqualTo(1_000);
        if (fixture().traits().keepsBrokerId()) {
            assertThat(row(claimed.get(777)).brokerId())
                    .isEqualTo("b-" + claimed.get(777).rowKey());
        }
    }
}
