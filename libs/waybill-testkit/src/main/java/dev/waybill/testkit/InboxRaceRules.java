package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.store.Admission;
import dev.waybill.testkit.InboxFixture.Isolation;
import dev.waybill.testkit.InboxFixture.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of an event at the same moment: one is handled, the others wait or come back, and nothing is done twice. */
interface InboxRaceRules extends InboxRules {

    Executor OWN_THREAD = task -> new Thread(task, "contract").start();

    /** A transaction that admitted an event, had its effect and stays open until it is told how to end. */
    final class Holder implements AutoCloseable {

        private final CountDownLatch admitted = new CountDownLatch(1);
        private final CompletableFuture<Boolean> commits = new CompletableFuture<>();
        private final CompletableFuture<Boolean> ended;

        Holder(InboxRules scene, Side side, int number) {
            ended = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return side.transactions().inTransaction(() -> {
                                Admission admission = scene.consumeInside(side, scene.received(number));
                                assertThat(admission).isInstanceOf(Admission.Admitted.class);
                                admitted.countDown();
                                if (!commits.join()) {
                                    throw new RolledBack();
                                }
                                return true;
                            });
                        } catch (RolledBack e) {
                            return false;
                        }
                    },
                    OWN_THREAD);
            try {
                assertThat(admitted.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Rolls back, unless it has ended. */
        @Override
        public void close() {
            commits.complete(false);
            ended.orTimeout(10, TimeUnit.SECONDS).join();
        }

        void end(boolean commit) {
            commits.complete(commit);
            assertThat(ended.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(commit);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void theSecondCopyIsDoneWhenTheFirstCommits(Isolation isolation) {
        Side side = fixture().side(isolation);
        try (Holder first = new Holder(this, side, 1)) {
            CompletableFuture<Admission> second = comingBack(side, 1);
            await().pollInterval(Duration.ofMillis(10))
                    .during(Duration.ofMillis(50))
                    .until(() -> !second.isDone());

            first.end(true);

            assertThat(second.orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(new Admission.AlreadyDone());
            assertThat(fixture().effects()).containsExactly("event-1");
        }
    }

    @ParameterizedTest
    @EnumSource
    default void theSecondCopyIsAdmittedWhenTheFirstRollsBack(Isolation isolation) {
        Side side = fixture().side(isolation);
        try (Holder first = new Holder(this, side, 1)) {
            CompletableFuture<Admission> second = comingBack(side, 1);
            CompletableFuture<Admission> third = comingBack(side, 1);
            await().pollInterval(Duration.ofMillis(10))
                    .during(Duration.ofMillis(50))
                    .until(() -> !second.isDone() && !third.isDone());

            first.end(false);

            List<Admission> both = List.of(
                    second.orTimeout(10, TimeUnit.SECONDS).join(),
                    third.orTimeout(10, TimeUnit.SECONDS).join());
            assertThat(both)
                    .hasAtLeastOneElementOfType(Admission.Admitted.class)
                    .contains(new Admission.AlreadyDone());
            assertThat(fixture().effects()).containsExactly("event-1");
        }
    }

    @Test
    default void whoHoldsOnTooLongIsNotWaitedFor() {
        try (Holder first = new Holder(this, side(), 1)) {
            CompletableFuture<Admission> second = CompletableFuture.supplyAsync(
                    () -> side().transactions().inTransaction(() -> {
                        Admission admission = admit(received(1));
                        fixture().effect(side(), "afterwards"); // the transaction is as good as before
                        return admission;
                    }),
                    OWN_THREAD);

            assertThat(second.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo(new Admission.InProgress());
            assertThat(fixture().effects()).containsExactly("afterwards");
            first.end(true);
        }
    }

    /** Under ids of its own: where a key was deleted a moment ago, InnoDB locks its neighbours with it. */
    @Test
    default void anotherEventIsNotHeldUp() {
        try (Holder first = new Holder(this, side(), 7_001)) {

            assertThat(consume(received(7_002))).isInstanceOf(Admission.Admitted.class);
            if (fixture().traits().keepsGroups()) {
                assertThat(consume(received(7_001, "mail"))).isInstanceOf(Admission.Admitted.class);
            }
            first.end(true);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void manyCopiesOfManyEventsHaveOneEffectEach(Isolation isolation) {
        Side side = fixture().side(isolation);
        int events = 12;
        List<CompletableFuture<Void>> threads = IntStream.range(0, 8)
                .mapToObj(seed -> CompletableFuture.runAsync(() -> consumeAll(side, events, seed), OWN_THREAD))
                .toList();

        threads.forEach(thread -> thread.orTimeout(60, TimeUnit.SECONDS).join());

        assertThat(fixture().effects())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, events)
                        .mapToObj(number -> "event-" + number)
                        .toList());
        for (int number = 0; number < events; number++) {
            assertThat(row(received(number)).done()).isTrue();
        }
    }

    /** All events in an order of its own; every third handling is rolled back, some of them as failures. */
    private void consumeAll(Side side, int events, int seed) {
        Random random = new Random(seed);
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, events).boxed().toList());
        Collections.shuffle(numbers, random);
        for (int number : numbers) {
            boolean done = false;
            while (!done) {
                try {
                    done = !(inTransaction(side, ask -> {
                                Admission admission = consumeInside(side, received(number));
                                if (admission instanceof Admission.Admitted && random.nextInt(3) == 0) {
                                    throw new RolledBack();
                                }
                                return admission;
                            })
                            instanceof Admission.InProgress);
                } catch (RolledBack e) {
                    if (random.nextBoolean()) {
                        failing(side, number);
                    }
                }
            }
        }
    }

    private void failing(Side side, int number) {
        try {
            fail(side, received(number), "rolled back");
        } catch (dev.waybill.store.StoreException e) {
            assertThat(e.reason()).isEqualTo(dev.waybill.store.StoreException.Reason.CONFLICT);
        }
    }

    /** Asks until nobody else is at it. */
    private CompletableFuture<Admission> comingBack(Side side, int number) {
        return CompletableFuture.supplyAsync(
                () -> {
                    Admission admission = consume(side, received(number));
                    while (admission instanceof Admission.InProgress) {
                        admission = consume(side, received(number));
                    }
                    return admission;
                },
                OWN_THREAD);
    }
}
