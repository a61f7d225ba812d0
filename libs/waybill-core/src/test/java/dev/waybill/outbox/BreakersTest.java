package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BreakersTest {

    private static final long SECOND = 1_000_000_000;

    private final List<String> told = new ArrayList<>();

    private final Breakers breakers = new Breakers(new RelayListener() {
        @Override
        public void destinationDown(SendTarget target, SendFailure failure, String detail) {
            told.add("down " + target.label());
        }

        @Override
        public void destinationUp(SendTarget target) {
            told.add("up " + target.label());
        }
    });

    @Test
    void aLostConnectionStopsEveryTopicWithOneAlert() {
        fail("A", SendFailure.CONNECTION_LOST, 500);

        assertThat(breakers.brokerIsDown()).isTrue();
        assertThat(breakers.admits("A", "another")).isFalse();
        assertThat(breakers.admits("B", "another")).isFalse();
        assertThat(told).containsExactly("down *");
    }

    @Test
    void anOutageEndsWithTheFirstConfirmationAndNotWithTheProbe() {
        fail("A", SendFailure.CONNECTION_LOST, 1);
        breakers.probed(SendTarget.WHOLE_BROKER, true, SECOND);
        assertThat(breakers.brokerIsDown()).isFalse();
        assertThat(told).containsExactly("down *");

        fail("A", SendFailure.CONNECTION_LOST, 1);
        assertThat(breakers.brokerIsDown()).isTrue();
        breakers.probed(SendTarget.WHOLE_BROKER, true, 2 * SECOND);
        breakers.confirmed("A", "row-0", 0);

        assertThat(told).containsExactly("down *", "up *");
        assertThat(breakers.down()).isEmpty();
    }

    @Test
    void aLateAnswerFromBeforeTheOutageDoesNotEndIt() {
        fail("A", SendFailure.BLOCKED, 1);
        breakers.confirmed("A", "row-0", 0);

        assertThat(breakers.brokerIsDown()).isTrue();
    }

    @Test
    void aTopicThatIsGoneStopsThatTopicAlone() {
        fail("A", SendFailure.TOPIC_UNAVAILABLE, 3);

        assertThat(breakers.admits("A", "another")).isFalse();
        assertThat(breakers.admits("B", "another")).isTrue();
        assertThat(breakers.down()).containsExactly(SendTarget.topic("A"));
        assertThat(told).containsExactly("down A");
    }

    @Test
    void timeOutsStopATopicOnlyWhenNothingElseComesBack() {
        for (int i = 0; i < 20; i++) {
            fail("A", SendFailure.TIMED_OUT, 7);
            breakers.confirmed("A", "row-0", 0);
        }
        assertThat(told).isEmpty();

        fail("A", SendFailure.TIMED_OUT, 8);
        assertThat(told).containsExactly("down A");
    }

    @ParameterizedTest
    @EnumSource(
            value = SendFailure.class,
            names = {"NACKED", "NOT_STORED", "THROTTLED"})
    void aTopicThatRefusesTwentyTimesInARowIsDownWithOneAlert(SendFailure refusal) {
        fail("A", refusal, 19);
        assertThat(told).isEmpty();

        fail("A", refusal, 200);

        assertThat(told).containsExactly("down A");
        assertThat(breakers.admits("A", "another")).isFalse();
        assertThat(breakers.admits("B", "another")).isTrue();
        assertThat(breakers.downTopics()).containsExactly("A");
    }

    @Test
    void eventsWithoutAQueueBehindTheirKeyStopNobodyElse() {
        fail("A", SendFailure.UNROUTABLE, 1000);

        assertThat(told).isEmpty();
        assertThat(breakers.admits("A", "another")).isTrue();
        fail("A", SendFailure.NACKED, 20);
        breakers.probed(SendTarget.topic("A"), true, SECOND);
        assertThat(breakers.admits("A", "unbound")).isTrue();
        assertThat(breakers.failed("A", "unbound", SendFailure.UNROUTABLE, "test", SECOND))
                .as("its own fault")
                .isFalse();
        assertThat(breakers.admits("A", "another")).as("the trial goes on").isTrue();
    }

    @Test
    void oneConfirmationBetweenThemAndRefusalsAreTheirEventsOwn() {
        for (int i = 0; i < 20; i++) {
            fail("A", SendFailure.NACKED, 19);
            breakers.confirmed("A", "good", 0);
        }

        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = SendFailure.class,
            names = {"NACKED", "UNROUTABLE", "NOT_STORED", "THROTTLED", "TIMED_OUT"})
    void fewBadEventsNeverStopOthersHoweverOftenTheyAreRetried(SendFailure failure) {
        for (int i = 0; i < 1000; i++) {
            breakers.failed("A", "bad-" + i % 4, failure, "test", 0);
        }

        assertThat(breakers.admits("A", "another")).isTrue();
        assertThat(told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = SendFailure.class,
            names = {"TOO_LARGE", "NO_DESTINATION", "UNSERIALISABLE", "ILLEGAL_MESSAGE"})
    void whatNoRepeatCanMendNeverStopsOthers(SendFailure failure) {
        fail("A", failure, 1000);

        assertThat(breakers.admits("A", "another")).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void whatFailsWhileItsTopicIsDownIsNotBlamedOnTheEvent() {
        fail("A", SendFailure.NACKED, 19);
        assertThat(breakers.failed("A", "last", SendFailure.NACKED, "test", SECOND))
                .isFalse();

        assertThat(breakers.failed("A", "late", SendFailure.NACKED, "test", 0)).isTrue();
        assertThat(breakers.failed("A", "late", SendFailure.TIMED_OUT, "test", 0))
                .isTrue();
        assertThat(breakers.failed("A", "bad", SendFailure.TOO_LARGE, "test", 0))
                .as("no repeat can mend it, whatever the topic does")
                .isFalse();
        assertThat(breakers.failed("B", "other", SendFailure.NACKED, "test", 0)).isFalse();
    }

    @Test
    void aTrialTakesOneMessageThenEightThenSixtyFourAndThenTheOutageIsOver() {
        fail("A", SendFailure.NACKED, 20);
        breakers.probed(SendTarget.topic("A"), true, SECOND);

        for (int step : new int[] {1, 8, 64}) {
            List<String> admitted = admitted(step, 200);
            assertThat(admitted).hasSize(step);
            assertThat(breakers.downTopics()).as("a claim leaves it alone").containsExactly("A");
            assertThat(told).containsExactly("down A");
            admitted.forEach(row -> breakers.confirmed("A", row, SECOND));
        }

        assertThat(told).containsExactly("down A", "up A");
        assertThat(admitted(0, 200)).hasSize(200);
    }

    @Test
    void refusalsThatOvertakeTheConfirmsOfTheirBatchStopNobody() {
        for (int batch = 0; batch < 10; batch++) {
            long now = batch * SECOND;
            for (int i = 0; i < 60; i++) {
                assertThat(breakers.failed("A", "refused-" + i, SendFailure.NACKED, "test", now))
                        .as("twenty cost an attempt, then the topic is in doubt")
                        .isEqualTo(i >= 20);
            }
            breakers.confirmed("A", "of the same batch", now + SECOND / 10);
        }

        assertThat(told).isEmpty();
        assertThat(breakers.admits("A", "another")).isTrue();
    }

    @Test
    void anOutageEndsAlthoughTheTopicAlwaysRefusesSome() {
        fail("A", SendFailure.NACKED, 20);
        breakers.probed(SendTarget.topic("A"), true, SECOND);
        int sent = 0;
        for (int step : new int[] {1, 8, 64}) {
            for (String row : admitted(step, 200)) {
                if (sent++ % 3 == 2) {
                    assertThat(breakers.failed("A", row, SendFailure.NACKED, "test", SECOND))
                            .as("costs nothing while the topic is on trial")
                            .isTrue();
                } else {
                    breakers.confirmed("A", row, SECOND);
                }
            }
        }

        assertThat(sent).isEqualTo(73);
        assertThat(told).containsExactly("down A", "up A");
    }

    @Test
    void aTrialThatIsMostlyRefusedEndsAndTheNextBeginsWithOneMessageAgain() {
        fail("A", SendFailure.NACKED, 20);
        breakers.probed(SendTarget.topic("A"), true, SECOND);
        assertThat(breakers.admits("A", "first")).isTrue();
        breakers.confirmed("A", "first", SECOND);
        List<String> step = admitted(8, 200);
        assertThat(step).hasSize(8);

        for (String row : step.subList(0, 4)) {
            assertThat(breakers.failed("A", row, SendFailure.NACKED, "test", SECOND))
                    .isTrue();
        }
        assertThat(breakers.failed("A", step.get(4), SendFailure.NACKED, "test", SECOND))
                .as("one event is to blame for the trial's end: the topic has taken another one")
                .isFalse();

        assertThat(breakers.admits("A", "third")).isFalse();
        breakers.probed(SendTarget.topic("A"), true, 2 * SECOND);
        List<String> next = admitted(9, 200);
        assertThat(next).hasSize(1);
        assertThat(breakers.failed("A", next.get(0), SendFailure.NACKED, "test", 2 * SECOND))
                .as("this trial has taken none")
                .isTrue();
        assertThat(told).containsExactly("down A");
    }

    @Test
    void aTopicThatRefusesForMinutesGetsFewMessagesAlthoughItsProbesSayYes() {
        fail("A", SendFailure.NACKED, 20);
        int sent = 0;
        for (long now = 0; now < 180 * SECOND; now += SECOND / 10) {
            for (SendTarget target : breakers.dueForProbe(now)) {
                breakers.probed(target, true, now);
            }
            for (String row : admitted(now, 100)) {
                sent++;
                assertThat(breakers.failed("A", row, SendFailure.NACKED, "full", now))
                        .isTrue();
            }
        }

        assertThat(sent).isBetween(50, 200);
        assertThat(told).containsExactly("down A");
    }

    @Test
    void aLateAnswerDoesNotCountInATopicsTrial() {
        fail("A", SendFailure.TIMED_OUT, 8);
        breakers.probed(SendTarget.topic("A"), true, SECOND);
        assertThat(breakers.admits("A", "trial")).isTrue();

        breakers.confirmed("A", "from before", SECOND);
        assertThat(breakers.failed("A", "from before too", SendFailure.TIMED_OUT, "test", SECOND))
                .isTrue();

        assertThat(breakers.admits("A", "another")).isFalse();
        breakers.confirmed("A", "trial", SECOND);
        assertThat(breakers.admits("A", "another")).isTrue();
    }

    @Test
    void anAnswerThatSaysNothingOfTheTopicGivesItsPlaceInTheTrialToAnother() {
        fail("A", SendFailure.NACKED, 20);
        breakers.probed(SendTarget.topic("A"), true, SECOND);
        assertThat(breakers.admits("A", "too large")).isTrue();

        breakers.failed("A", "too large", SendFailure.TOO_LARGE, "test", SECOND);

        assertThat(breakers.admits("A", "another")).isTrue();
    }

    @Test
    void aTrialWithNothingToSendEndsTheOutageAfterAWhile() {
        fail("A", SendFailure.NACKED, 20);
        fail("B", SendFailure.CONNECTION_LOST, 1);
        breakers.probed(SendTarget.topic("A"), true, SECOND);
        breakers.probed(SendTarget.WHOLE_BROKER, true, SECOND);

        breakers.endQuietTrials(2 * SECOND, true);
        assertThat(told).containsExactly("down A", "down *");
        breakers.endQuietTrials(7 * SECOND, false);
        assertThat(told).as("something is still at the broker").containsExactly("down A", "down *", "up A");
        breakers.endQuietTrials(7 * SECOND, true);

        assertThat(told).containsExactly("down A", "down *", "up A", "up *");
    }

    @Test
    void aTrialWhoseMessageHasNoAnswerYetIsNotQuiet() {
        fail("A", SendFailure.NACKED, 20);
        breakers.probed(SendTarget.topic("A"), true, SECOND);
        assertThat(breakers.admits("A", "trial")).isTrue();

        breakers.endQuietTrials(60 * SECOND, true);

        assertThat(told).containsExactly("down A");
    }

    @Test
    void aClaimIsNeverToldToLeaveOutMoreTopicsThanAStatementTakes() {
        for (int i = 0; i < 3_000; i++) {
            fail("topic-" + i, SendFailure.TOPIC_UNAVAILABLE, 1);
        }

        assertThat(breakers.down()).hasSize(3_000);
        assertThat(breakers.downTopics()).hasSize(500);
    }

    @Test
    void probesBecomeRarerWhileTheyFail() {
        fail("A", SendFailure.CONNECTION_LOST, 1);
        List<Long> probes = new ArrayList<>();
        for (long now = 0; now < 20 * SECOND; now += SECOND / 20) {
            for (SendTarget target : breakers.dueForProbe(now)) {
                probes.add(now);
                breakers.probed(target, false, now);
            }
        }

        assertThat(probes).hasSizeBetween(8, 16);
        assertThat(probes.get(0)).isLessThanOrEqualTo(SECOND / 2);
    }

    /** Failures of different events, fifty a second. */
    private void fail(String topic, SendFailure failure, int times) {
        for (int i = 0; i < times; i++) {
            breakers.failed(topic, "row-" + i, failure, "test", i * SECOND / 50);
        }
    }

    /** Which of so many different events may be sent now. */
    private List<String> admitted(long round, int offered) {
        return IntStream.range(0, offered)
                .mapToObj(i -> "offered-" + round + "-" + i)
                .filter(row -> breakers.admits("A", row))
                .toList();
    }
}
