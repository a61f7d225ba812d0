package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult.Done;
import dev.waybill.message.HandlerResult.Reject;
import dev.waybill.message.Message;
import dev.waybill.testkit.SubscriptionFixture.Route;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Dead letters leave the broker once they are saved, and a replay reaches only the group that failed. */
interface SubscriptionDeadLetterRules extends SubscriptionRules {

    @Test
    default void twoGroupsEachGetEverythingAndAReplayReachesOnlyTheOneThatFailed() {
        Route route = fixture().freshRoute();
        SubscriptionSpec other = fixture().anotherGroup(route);
        SavedLetters letters = collected(route.spec());
        SavedLetters lettersOfTheOther = collected(other);
        AtomicInteger calls = new AtomicInteger();
        RecordingReceiver failing =
                received(route.spec(), delivery -> calls.incrementAndGet() == 1 ? new Reject("once") : new Done());
        RecordingReceiver healthy = received(other, RecordingReceiver.DONE);

        Message sent = send(route, 1).get(0);
        DeadLetter letter = letters.await(1, PATIENCE).get(0);
        healthy.awaitAnswered(1, PATIENCE);
        assertThat(subscriptions().deadLetters(route.spec()).replay(letter)).isInstanceOf(SendResult.Confirmed.class);
        failing.awaitDeliveries(sent.event().eventId(), 2, PATIENCE);
        sendAndAwait(route, failing);
        healthy.awaitAnswered(2, PATIENCE);

        SampleMessages.assertUnchanged(failing.of(sent.event().eventId()).get(1).delivery(), route.spec(), sent, 1);
        assertThat(failing.all()).hasSize(3);
        assertThat(healthy.all()).hasSize(2);
        assertThat(lettersOfTheOther.offered()).isEmpty();
    }

    @Test
    default void aLetterStaysAtTheBrokerUntilItIsSaved() {
        Route route = fixture().freshRoute();
        DeadLetterQueue queue = subscriptions().deadLetters(route.spec());
        SavedLetters letters = new SavedLetters(2);
        Lifecycle collecting = run(queue.collect(letters));
        received(route.spec(), delivery -> new Reject("always"));

        send(route, 1);
        DeadLetter saved = letters.await(1, PATIENCE).get(0);

        assertThat(letters.offered()).hasSize(3).allMatch(each -> each.key().equals(saved.key()));
        assertThat(collecting.stop(PATIENCE)).isTrue();
        SavedLetters later = new SavedLetters();
        run(queue.collect(later));
        String second = send(route, 1).get(0).event().eventId();
        assertThat(later.await(1, PATIENCE)).extracting(DeadLetter::messageId).containsExactly(second);
    }

    @Test
    default void anEditedLetterIsReplayedAsAFirstDeliveryAndDeadLetteredUnderAnotherKey() {
        Route route = fixture().freshRoute();
        SavedLetters letters = collected(route.spec());
        RecordingReceiver recorder = received(route.spec(), delivery -> new Reject("never"));

        Message sent = send(route, 1).get(0);
        DeadLetter first = letters.await(1, PATIENCE).get(0);
        byte[] body = "{\"edited\":true}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        DeadLetter edited = new DeadLetter(
                first.key(), first.source(), first.group(), first.messageId(), first.headers(), body, first.error());
        assertThat(subscriptions().deadLetters(route.spec()).replay(edited)).isInstanceOf(SendResult.Confirmed.class);
        DeadLetter second = letters.await(2, PATIENCE).get(1);

        assertThat(recorder.attemptsOf(sent.event().eventId())).containsExactly(1, 1);
        assertThat(recorder.all().get(1).delivery().body()).isEqualTo(body);
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(second.messageId()).isEqualTo(first.messageId());
        assertThat(second.body()).isEqualTo(body);
    }
}
