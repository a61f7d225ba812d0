package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.util.ArrayList;
import java.util.List;
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
        assertThat(breakers.isOpen("A")).isTrue();
        assertThat(breakers.isOpen("B")).isTrue();
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
        breakers.confirmed("A");

        assertThat(told).containsExactly("down *", "up *");
        assertThat(breakers.down()).isEmpty();
    }

    @Test
    void aLateAnswerFromBeforeTheOutageDoesNotEndIt() {
        fail("A", SendFailure.BLOCKED, 1);
        breakers.confirmed("A");

        assertThat(breakers.brokerIsDown()).isTrue();
    }

    @Test
    void aTopicThatIsGoneStopsThatTopicAlone() {
        fail("A", SendFailure.TOPIC_UNAVAILABLE, 3);

        assertThat(breakers.isOpen("A")).isTrue();
        assertThat(breakers.isOpen("B")).isFalse();
        assertThat(breakers.down()).containsExactly(SendTarget.topic("A"));
        assertThat(told).containsExactly("down A");
    }

    @Test
    void timeOutsStopATopicOnlyWhenNothingElseComesBack() {
        for (int i = 0; i < 20; i++) {
            fail("A", SendFailure.TIMED_OUT, 7);
            breakers.confirmed("A");
        }
        assertThat(told).isEmpty();

        fail("A", SendFailure.TIMED_OUT, 8);
        assertThat(told).containsExactly("down A");
    }

    @ParameterizedTest
    @EnumSource(
            value = SendFailure.class,
            names = {
                "NACKED",
                "UNROUTABLE",
                "NOT_STORED",
                "THROTTLED",
                "TOO_LARGE",
                "NO_DESTINATION",
                "UNSERIALISABLE",
                "ILLEGAL_MESSAGE"
            })
    void whatHappensToOneMessageNeverStopsOthers(SendFailure failure) {
        fail("A", failure, 1000);

        assertThat(breakers.isOpen("A")).isFalse();
        assertThat(told).isEmpty();
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

    private void fail(String topic, SendFailure failure, int times) {
        for (int i = 0; i < times; i++) {
            breakers.failed(topic, failure, "test", 0);
        }
    }
}
