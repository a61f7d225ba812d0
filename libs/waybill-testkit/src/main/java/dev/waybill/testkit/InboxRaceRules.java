package dev.waybill.testkit;

import static dev.waybill.testkit.ContractThreads.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.store.Admission;
import dev.waybill.testkit.InboxFixture.InboxProcess;
import dev.waybill.testkit.InboxFixture.Isolation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies of an event at the same moment: one is handled, the others wait or come back, and nothing is done twice. */
interface InboxRaceRules extends InboxRules {

    /** A transaction that admitted an event, had its effect and stays open until it is told how to end. */
    final class OpenTransaction implements AutoCloseable {

        private final CountDownLatch admitted = new CountDownLatch(1);
        private final CompletableFuture<Boolean> commits = new CompletableFuture<>();
        private final CompletableFuture<Boolean> ended;

        OpenTransaction(InboxRules rules, InboxProcess process, int number) {
            ended = CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return process.transactions().inTransaction(() -> {
                                Admission admission = rules.consumeInside(process, rules.received(number));
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
        InboxProcess process = fixture().process(isolation);
        try (OpenTransaction first = new OpenTransaction(this, process, 1)) {
            CompletableFuture<Admission> second = consumeUntilAnswered(process, 1);
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
        InboxProcess process = fixture().process(isolation);
        try (OpenTransaction first = new OpenTransaction(this, process, 1)) {
            CompletableFuture<Admission> second = consumeUntilAnswered(process, 1);
            CompletableFuture<Admission> third = consumeUntilAnswered(process, 1);
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
    default void aTransactionThatStaysOpenTooLongIsNotWaitedFor() {
        try (OpenTransaction first = new OpenTransaction(this, process(), 1)) {
            CompletableFuture<Admission> second = CompletableFuture.supplyAsync(
                    () -> process().transactions().inTransaction(() -> {
                        Admission admission = admit(received(1));
                        fixture().effect(process(), "afterwards"); // the transaction is still usable
                        return admission;
                    }),
                    OWN_THREAD);

            assertThat(second.orTimeout(5, TimeUnit.SECONDS).join()).isEqualTo(new Admission.InProgress());
            assertThat(fixture().effects()).containsExactly("afterwards");
            first.end(true);
        }
    }

    /** The ids are no other test's, because InnoDB locks the neighbours of a key that was deleted a moment ago. */
    @Test
    default void anotherEventDoesNotWait() {
        try (OpenTransaction first = new OpenTransaction(this, process(), 7_001)) {

            assertThat(consume(received(7_002))).isInstanceOf(Admission.Admitted.class);
            if (fixture().traits().keepsGroups()) {
                assertThat(consume(received(7_001, "billing"))).isInstanceOf(Admission.Admitted.class);
            }
            first.end(true);
        }
    }

    @ParameterizedTest
    @EnumSource
    default void manyCopiesOfManyEventsHaveOneEffectEach(Isolation isolation) {
        InboxProcess process = fixture().process(isolation);
        int events = 12;
        List<CompletableFuture<Void>> threads = IntStream.range(0, 8)
                .mapToObj(seed -> CompletableFuture.runAsync(() -> consumeAll(process, events, seed), OWN_THREAD))
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

    /** Consumes all events in a random order; every third time it rolls back, sometimes with a recorded failure. */
    private void consumeAll(InboxProcess process, int events, int seed) {
        Random random = new Random(seed);
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, events).boxed().toList());
        Collections.shuffle(numbers, random);
        for (int number : numbers) {
            boolean done = false;
            while (!done) {
                try {
                    done = !(inTransaction(process, ask -> {
                                Admission admission = consumeInside(process, received(number));
                                if (admission instanceof Admission.Admitted && random.nextInt(3) == 0) {
                                    throw new RolledBack();
                                }
                                return admission;
                            })
                            instanceof Admission.InProgress);
                } catch (RolledBack e) {
                    if (random.nextBoolean()) {
                        failing(process, number);
                    }
                }
            }
        }
    }

    private void failing(InboxProcess process, int number) {
        try {
            fail(process, received(number), "rolled back");
        } catch (dev.waybill.store.StoreException e) {
            assertThat(e.reason()).isEqualTo(dev.waybill.store.StoreException.Reason.CONFLICT);
        }
    }

    /** Consumes again and again until no other transaction is handling the event. */
    private CompletableFuture<Admission> consumeUntilAnswered(InboxProcess process, int number) {
        return CompletableFuture.supplyAsync(
                () -> {
                    Admission admission = consume(process, received(number));
                    while (admission instanceof Admission.InProgress) {
                        admission = consume(process, received(number));
                    }
                    return admission;
                },
                OWN_THREAD);
    }
}
