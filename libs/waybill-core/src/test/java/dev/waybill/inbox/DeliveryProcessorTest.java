package dev.waybill.inbox;

import static dev.waybill.inbox.InboxParts.event;
import static dev.waybill.inbox.InboxParts.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.MalformedEventException;
import dev.waybill.store.Admission;
import dev.waybill.store.StoreException;
import dev.waybill.store.StoreException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One delivery: admitted, handled and settled; or a repeat, a retry or a dead letter. */
@Timeout(20)
class DeliveryProcessorTest {

    private final InboxParts parts = new InboxParts();

    @Test
    void aNewEventHasItsEffectAndIsDone() throws InterruptedException {
        Inbox inbox = parts.inbox(parts::effect).build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.admission(event("1"))).isEqualTo(new Admission.AlreadyDone());
        assertThat(parts.heard).containsExactly("consumed 1");
    }

    @Test
    void aRepeatHasNoSecondEffect() throws InterruptedException {
        Inbox inbox = parts.inbox(parts::effect).build();

        receive(inbox, event("1"));
        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactly("consumed 1", "repeated 1");
    }

    @Test
    void aFailureIsRolledBackNotedAndAdmittedAgain() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = parts.inbox(event -> {
                    parts.effect(event);
                    return switch (calls.incrementAndGet()) {
                        case 1 -> throw new IllegalStateException("not yet");
                        case 2 -> HandlerResult.retry("still not");
                        default -> HandlerResult.DONE;
                    };
                })
                .build();

        assertThat(receive(inbox, event("1")))
                .isEqualTo(new HandlerResult.Retry("java.lang.IllegalStateException: not yet"));
        assertThat(receive(inbox, event("1"))).isEqualTo(new HandlerResult.Retry("still not"));
        assertThat(parts.effects).isEmpty();
        assertThat(parts.store.lastError("1", InboxParts.GROUP)).contains("still not");
        assertThat(parts.admission(event("1")))
                .isInstanceOfSatisfying(
                        Admission.Admitted.class,
                        admitted -> assertThat(admitted.attempts()).isEqualTo(2));
        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactly("failed 1", "failed 1", "consumed 1");
    }

    @Test
    void whatIsRejectedIsADeadLetterAtOnceAndCanStillBeReplayed() throws InterruptedException {
        List<HandlerResult> answers =
                new ArrayList<>(List.of(HandlerResult.reject("order is gone"), HandlerResult.DONE));
        Inbox inbox = parts.inbox(event -> {
                    parts.effect(event);
                    return answers.remove(0);
                })
                .build();

        assertThat(receive(inbox, event("1"))).isEqualTo(new HandlerResult.Reject("order is gone"));
        assertThat(parts.effects).isEmpty();
        assertThat(parts.store.lastError("1", InboxParts.GROUP)).contains("order is gone");
        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactly("dead-lettered", "consumed 1");
    }

    @Test
    void missingDataIsADeadLetterAtOnce() throws InterruptedException {
        Inbox inbox = parts.inbox(event -> {
                    throw new MalformedEventException("no orderNo", null);
                })
                .build();

        assertThat(receive(inbox, event("1"))).isEqualTo(new HandlerResult.Reject("no orderNo"));
    }

    @Test
    void whatIsIgnoredCommitsAndIsDone() throws InterruptedException {
        Inbox inbox = parts.inbox(event -> {
                    parts.effect(event);
                    return HandlerResult.ignored("STATUS_NOT_CREATED");
                })
                .build();

        receive(inbox, event("1"));
        receive(inbox, event("1"));

        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactly("ignored 1 STATUS_NOT_CREATED", "repeated 1");
    }

    @Test
    void whatIsNoEventIsADeadLetterWithoutARow() throws InterruptedException {
        Inbox inbox = parts.inbox(parts::effect).maxBodyBytes(1_000).build();

        for (String body : List.of("{broken", "[]", "{}", "{\"eventId\":\"1\"}", "\"" + "x".repeat(1_000) + "\"", "")) {
            assertThat(receive(inbox, body.getBytes(StandardCharsets.UTF_8)))
                    .as(body)
                    .singleElement()
                    .isInstanceOf(HandlerResult.Reject.class);
        }

        assertThat(parts.effects).isEmpty();
        assertThat(parts.heard).hasSize(6).containsOnly("dead-lettered");
    }

    @Test
    void anIdThatFitsNoColumnIsADeadLetterAndTheNextEventIsHandled() throws InterruptedException {
        Inbox inbox = parts.inbox(parts::effect).build();

        assertThat(receive(inbox, event("9".repeat(300)))).isInstanceOf(HandlerResult.Reject.class);
        assertThat(receive(inbox, event("2"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.effects).containsExactly("2");
    }

    @Test
    void aTypeThatOthersHandleIsAcknowledgedOrADeadLetterAsTheInboxWasTold() throws InterruptedException {
        Event other = Event.builder("SomethingElse").eventId("1").build();

        assertThat(receive(parts.inbox(parts::effect).build(), other)).isInstanceOf(HandlerResult.Done.class);
        assertThat(receive(
                        parts.inbox(parts::effect)
                                .unknownTypes(UnknownTypes.DEAD_LETTER)
                                .build(),
                        other))
                .isEqualTo(new HandlerResult.Reject("event type not supported: SomethingElse"));

        assertThat(parts.heard).containsExactly("passed over 1", "dead-lettered");
        assertThat(parts.admission(other)).isInstanceOf(Admission.Admitted.class);
    }

    @Test
    void aHandlerThatBreaksFailsItsDeliveryAndNotTheReceiver() throws InterruptedException {
        for (Error broken : List.of(new AssertionError("odd"), new NoClassDefFoundError("odd"))) {
            Inbox inbox = parts.inbox(event -> {
                        throw broken;
                    })
                    .build();
            assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Retry.class);
        }
    }

    @Test
    void aCopyThatIsBeingHandledElsewhereIsWaitedForAndNotHandledTwice() throws Exception {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Inbox slow = parts.inbox(event -> {
                    handling.countDown();
                    await(goOn);
                    return parts.effect(event);
                })
                .build();
        CountDownLatch turnedAway = new CountDownLatch(2);
        Inbox other = parts.inbox(parts::effect).build();
        CompletableFuture<HandlerResult> first = inThread(slow, event("1"));
        assertThat(handling.await(10, TimeUnit.SECONDS)).isTrue();
        parts.store.beforeAdmit(turnedAway::countDown);

        CompletableFuture<HandlerResult> second = inThread(other, event("1"));
        assertThat(turnedAway.await(10, TimeUnit.SECONDS))
                .as("asked again after it was told that the event is in progress")
                .isTrue();
        assertThat(second).isNotDone();
        goOn.countDown();

        assertThat(first.get(10, TimeUnit.SECONDS)).isInstanceOf(HandlerResult.Done.class);
        assertThat(second.get(10, TimeUnit.SECONDS)).isInstanceOf(HandlerResult.Done.class);
        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactlyInAnyOrder("consumed 1", "repeated 1");
    }

    @Test
    void aConflictInTheStoreCostsNoDelivery() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = parts.inbox(event -> {
                    parts.effect(event);
                    if (calls.incrementAndGet() < 4) {
                        throw new IllegalStateException("wrapped", WatchedInboxStore.failure(Reason.CONFLICT));
                    }
                    return HandlerResult.DONE;
                })
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.effects).containsExactly("1");
        assertThat(parts.heard).containsExactly("consumed 1");
    }

    @Test
    void aHandlerThatAlwaysConflictsFailsInTheEnd() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Inbox inbox = parts.inbox(event -> {
                    calls.incrementAndGet();
                    throw WatchedInboxStore.failure(Reason.CONFLICT);
                })
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Retry.class);

        assertThat(calls).hasValue(11);
    }

    @Test
    void aFailureIsNotedEvenWhenTheStoreConflictsMeanwhile() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        parts.store.beforeFail(() -> {
            if (calls.incrementAndGet() <= 2) {
                throw WatchedInboxStore.failure(Reason.CONFLICT);
            }
        });
        Inbox inbox = parts.inbox(event -> HandlerResult.retry("later")).build();

        assertThat(receive(inbox, event("1"))).isEqualTo(new HandlerResult.Retry("later"));

        assertThat(parts.store.lastError("1", InboxParts.GROUP)).contains("later");
    }

    @Test
    void anUnexpectedFailureOfTheStoreLeavesTheDeliveryUnanswered() {
        parts.store.beforeFail(() -> {
            throw WatchedInboxStore.failure(Reason.MISCONFIGURED);
        });
        Inbox inbox = parts.inbox(event -> HandlerResult.retry("later")).build();

        assertThatThrownBy(() -> receive(inbox, event("1"))).isInstanceOf(StoreException.class);
    }

    @Test
    void aStopDuringTheHandlerSpendsNothing() {
        Inbox inbox = parts.inbox(event -> {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted");
                })
                .build();

        assertThatThrownBy(() -> receive(inbox, event("1"))).isInstanceOf(InterruptedException.class);

        assertThat(parts.heard).isEmpty();
        assertThat(parts.store.lastError("1", InboxParts.GROUP)).isEmpty();
    }

    @Test
    void theCacheLearnsAfterTheCommitAndOnlySavesTheQuestion() throws InterruptedException {
        Set<String> known = new HashSet<>();
        List<String> handled = new ArrayList<>();
        Inbox inbox = parts.inbox(event -> {
                    handled.add(event.eventId());
                    assertThat(known).as("not before the commit").isEmpty();
                    return parts.effect(event);
                })
                .cache(new DoneCache() {
                    @Override
                    public boolean knows(String eventId, String group) {
                        return known.contains(eventId);
                    }

                    @Override
                    public void learn(String eventId, String group) {
                        known.add(eventId);
                    }
                })
                .build();
        AtomicInteger admissions = new AtomicInteger();
        parts.store.beforeAdmit(admissions::incrementAndGet);

        receive(inbox, event("1"));
        receive(inbox, event("1"));
        assertThat(admissions).as("the second one was not asked for").hasValue(1);
        known.clear(); // it may forget: the consume log decides
        receive(inbox, event("1"));

        assertThat(handled).containsExactly("1");
        assertThat(parts.heard).containsExactly("consumed 1", "repeated 1", "repeated 1");
    }

    @Test
    void aCacheThatFailsCostsNoEventAnything() throws InterruptedException {
        Inbox inbox = parts.inbox(parts::effect)
                .cache(new DoneCache() {
                    @Override
                    public boolean knows(String eventId, String group) {
                        throw new IllegalStateException("cache is gone");
                    }

                    @Override
                    public void learn(String eventId, String group) {
                        throw new IllegalStateException("cache is gone");
                    }
                })
                .build();

        assertThat(receive(inbox, event("1"))).isInstanceOf(HandlerResult.Done.class);

        assertThat(parts.heard).containsExactly("consumed 1");
    }

    private static CompletableFuture<HandlerResult> inThread(Inbox inbox, Event event) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return receive(inbox, event);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> new Thread(task, "receiver").start());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
