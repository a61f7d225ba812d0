package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilentTopicsTest {

    private static final int ALL = 10;

    private final SilentTopics topics = new SilentTopics();
    private long now = 1;

    @Test
    void aTopicWithoutAnAnswerForASecondIsSilentWhileOthersAreConfirmed() {
        send("SLOW", 3);
        send("QUICK", 2);
        advance(Duration.ofMillis(5));
        topics.confirmed("QUICK", now);
        advance(Duration.ofMillis(990));
        assertThat(topics.names(ALL)).isEmpty();

        advance(Duration.ofMillis(10));
        assertThat(topics.names(ALL)).containsExactly("SLOW");
        assertThat(topics.isSilent("SLOW")).isTrue();
        assertThat(topics.isSilent("QUICK")).isFalse();
        assertThat(topics.kept()).isEqualTo(3);
    }

    @Test
    void whileTheBrokerConfirmsNothingNobodyIsSilent() {
        send("A", 1);
        topics.confirmed("A", now);
        send("A", 2);
        send("B", 2);

        advance(Duration.ofSeconds(5));

        assertThat(topics.names(ALL)).isEmpty();
        assertThat(topics.kept()).isZero();
    }

    @Test
    void aPromptConfirmEndsASilenceAndARefusalDoesNot() {
        silentWith(3);
        topics.sent("SLOW", now); // one that was on its way

        topics.failed("SLOW");
        topics.failed("SLOW");
        topics.failed("SLOW");
        assertThat(topics.isSilent("SLOW")).isTrue();
        assertThat(topics.kept()).isEqualTo(1);
        send("SLOW", 1);

        advance(Duration.ofMillis(500));
        topics.confirmed("SLOW", now);
        assertThat(topics.isSilent("SLOW")).isFalse();
        assertThat(topics.kept()).isZero();
        advance(Duration.ofMillis(900));
        assertThat(topics.isSilent("SLOW")).as("heard of a moment ago").isFalse();
    }

    @Test
    void confirmsThatTrickleInLateEndNoSilence() {
        silentWith(3);

        advance(Duration.ofSeconds(2));
        topics.confirmed("SLOW", now);
        assertThat(topics.isSilent("SLOW")).isTrue();
        assertThat(topics.kept()).isEqualTo(2);

        advance(Duration.ofSeconds(1));
        topics.confirmed("SLOW", now);
        topics.confirmed("SLOW", now);
        assertThat(topics.isSilent("SLOW")).as("nothing is left at the broker").isFalse();
        assertThat(topics.kept()).isZero();
    }

    @Test
    void aBrokerWhoseAnswersAllTakeSecondsHasNoSilentTopic() {
        for (int second = 0; second < 5; second++) {
            send("A", 10);
            send("B", 10);
            advance(Duration.ofSeconds(2));
            for (int i = 0; i < 5; i++) {
                topics.confirmed("A", now);
                topics.confirmed("B", now);
            }
            advance(Duration.ofMillis(1));
        }
        assertThat(topics.names(ALL)).isEmpty();
    }

    @Test
    void aSilenceEndsWhenNothingIsLeftAtTheBroker() {
        silentWith(2);

        topics.failed("SLOW");
        topics.failed("SLOW");

        assertThat(topics.isSilent("SLOW")).isFalse();
        assertThat(topics.kept()).isZero();
        send("SLOW", 1);
        assertThat(topics.kept()).isZero();
    }

    @Test
    void aNewRunKnowsOfNoSilence() {
        silentWith(2);

        topics.forget();

        assertThat(topics.names(ALL)).isEmpty();
        assertThat(topics.kept()).isZero();
        topics.failed("SLOW"); // an answer to the run before
        assertThat(topics.kept()).isZero();
    }

    private void silentWith(int messages) {
        send("SLOW", messages);
        send("QUICK", 1);
        advance(Duration.ofMillis(5));
        topics.confirmed("QUICK", now);
        advance(Duration.ofSeconds(1));
        assertThat(topics.isSilent("SLOW")).isTrue();
    }

    private void send(String topic, int messages) {
        for (int i = 0; i < messages; i++) {
            topics.sent(topic, now);
        }
    }

    private void advance(Duration duration) {
        now += duration.toNanos();
        topics.look(now);
    }
}
