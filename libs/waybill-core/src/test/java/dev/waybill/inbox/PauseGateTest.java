package dev.waybill.inbox;

import static dev.waybill.inbox.InboxParts.event;
import static dev.waybill.inbox.InboxParts.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.HandlerResult;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While the store or a dependency does not answer, deliveries wait and none is spent. */
@Timeout(20)
class PauseGateTest {

    private final InboxParts parts = new InboxParts();

    @Test
    void whileEverythingAnswersNobodyWaits() throws InterruptedException {
        assertThat(gate(new SilentFor(0)).await()).isFalse();

        assertThat(parts.store.questions).hasValue(1);
        assertThat(parts.heard).isEmpty();
    }

    @Test
    void aStoreThatIsAwayIsAskedUntilItAnswers() throws InterruptedException {
        parts.store.silentFor(2);

        assertThat(gate().await()).isTrue();

        assertThat(parts.store.questions).hasValue(3);
        assertThat(parts.heard).containsExactly("paused database", "resumed database");
    }

    @Test
    void aDependencyIsAskedUntilItAnswersAndAnExceptionIsNoAnswer() throws InterruptedException {
        AtomicInteger questions = new AtomicInteger();
        Dependency failing = new Dependency() {
            @Override
            public String name() {
                return "stock";
            }

            @Override
            public boolean answers() {
                if (questions.incrementAndGet() == 1) {
                    throw new IllegalStateException("no route");
                }
                return true;
            }
        };

        assertThat(gate(failing).await()).isTrue();

        assertThat(parts.heard).containsExactly("paused stock", "resumed stock");
    }

    @Test
    void anOutageIsToldOnceHoweverManyWait() throws Exception {
        parts.store.away(true);
        PauseGate gate = gate();
        List<CompletableFuture<Boolean>> waiting = twoWaitAt(gate);

        parts.store.away(false);

        for (CompletableFuture<Boolean> each : waiting) {
            assertThat(each.get(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(parts.heard).containsExactly("paused database", "resumed database");
    }

    @Test
    void whoIsStoppedWhileItWaitsLeavesTheEndOfTheOutageToTheNext() throws InterruptedException {
        parts.store.away(true);
        PauseGate gate = gate();
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread waiting = new Thread(() -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                end.set(e);
            }
        });
        waiting.start();
        await().until(() -> parts.heard.contains("paused database"));
        waiting.interrupt();
        waiting.join();
        assertThat(end.get()).isInstanceOf(InterruptedException.class);

        parts.store.away(false);
        assertThat(gate.await()).isFalse();

        assertThat(parts.heard).containsExactly("paused database", "resumed database");
    }

    @Test
    void whoWaitsCanBeSentAwayAndWhoComesLaterWaitsAgain() throws Exception {
        parts.store.away(true);
        PauseGate gate = gate();
        List<CompletableFuture<Boolean>> waiting = twoWaitAt(gate);

        await().until(() -> {
            gate.endWaiting();
            return waiting.stream().allMatch(CompletableFuture::isDone);
        });

        assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally);
        CompletableFuture<Boolean> later = inThread(gate::await);
        await().until(() -> parts.store.questions.get() >= 8);
        assertThat(later).isNotDone();
        parts.store.away(false);
        assertThat(later.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aQuestionThatWasInterruptedIsNoOutage() {
        parts.store.away(true);
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> gate().await());

        assertThat(parts.heard).isEmpty();
    }

    @Test
    void aDependencyMaySayWhichFailuresAreItsOwn() {
        Dependency own = new SilentFor(0);
        Dependency confused = new SilentFor(0) {
            @Override
            public boolean caused(Throwable failure) {
                throw new IllegalStateException("cannot tell");
            }
        };

        assertThat(gate(confused, own).caused(new IllegalStateException("stock timed out")))
                .isTrue();
        assertThat(gate(confused, own).caused(new IllegalStateException("something else")))
                .isFalse();
    }

    @Test
    void aDeliveryWaitsForTheStoreAndIsThenHandledUnspent() throws Exception {
        Inbox inbox = parts.inbox(parts::effect).build();
        parts.store.away(true);
        CompletableFuture<HandlerResult> received = inThread(() -> receive(inbox, event("1")));
        await().until(() -> parts.heard.contains("paused database"));
        assertThat(received).isNotDone();

        parts.store.away(false);

        assertThat(received.get(10, TimeUnit.SECONDS)).isInstanceOf(HandlerResult.Done.class);
        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactly("paused database", "resumed database", "consumed 1");
    }

    @Test
    void aDeliveryThatFailedBecauseOfADependencyWaitsForItUnspent() throws InterruptedException {
        SilentFor stock = new SilentFor(2);
        Inbox inbox = parts.inbox(event -> {
                    parts.effect(event);
                    return stock.isUp() ? HandlerResult.DONE : HandlerResult.retry("stock is down");
                })
                .dependency(stock)
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactly("paused stock", "resumed stock", "consumed 1");
        assertThat(parts.store.lastError("1", InboxParts.GROUP)).isEmpty();
    }

    @Test
    void whatADependencyCausedIsTriedAgainAtOnceAFewTimes() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = parts.inbox(event -> {
                    if (calls.incrementAndGet() <= 3) {
                        throw new IllegalStateException("stock timed out");
                    }
                    return parts.effect(event);
                })
                .dependency(new SilentFor(0))
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(calls).hasValue(4);
        assertThat(parts.heard).containsExactly("consumed 1");
    }

    @Test
    void aStopEndsThePauseAndTheDeliveryComesBackUnspent() throws InterruptedException {
        Inbox inbox = parts.inbox(parts::effect).build();
        parts.store.away(true);
        AtomicReference<Throwable> end = new AtomicReference<>();
        Thread receiver = new Thread(() -> {
            try {
                receive(inbox, event("1"));
            } catch (InterruptedException e) {
                end.set(e);
            }
        });
        receiver.start();
        await().until(() -> parts.heard.contains("paused database"));

        receiver.interrupt();
        receiver.join();

        assertThat(end.get()).isInstanceOf(InterruptedException.class);
        assertThat(parts.heard).containsExactly("paused database");
        assertThat(parts.effects).isEmpty();
    }

    private List<CompletableFuture<Boolean>> twoWaitAt(PauseGate gate) {
        List<CompletableFuture<Boolean>> waiting = List.of(inThread(gate::await), inThread(gate::await));
        await().until(() -> parts.store.questions.get() >= 4);
        return waiting;
    }

    private PauseGate gate(Dependency... dependencies) {
        InboxReporter reporter = new InboxReporter("Test", InboxParts.GROUP, new InboxListener() {
            @Override
            public void paused(String dependency) {
                parts.heard.add("paused " + dependency);
            }

            @Override
            public void resumed(String dependency) {
                parts.heard.add("resumed " + dependency);
            }
        });
        return new PauseGate(parts.store, List.of(dependencies), reporter);
    }

    private static <T> CompletableFuture<T> inThread(Callable<T> work) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return work.call();
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                },
                task -> new Thread(task, "receiver").start());
    }

    /** Silent for its first few questions; says which failures are its own. */
    private static class SilentFor implements Dependency {

        private final int silences;
        private final AtomicInteger asked = new AtomicInteger();

        SilentFor(int silences) {
            this.silences = silences;
        }

        boolean isUp() {
            return asked.get() >= silences;
        }

        @Override
        public String name() {
            return "stock";
        }

        @Override
        public boolean answers() {
            return asked.incrementAndGet() > silences;
        }

        @Override
        public boolean caused(Throwable failure) {
            return "stock timed out".equals(failure.getMessage());
        }
    }
}
