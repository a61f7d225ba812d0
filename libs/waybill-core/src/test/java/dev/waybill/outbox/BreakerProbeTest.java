package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Probes: who is asked, when, and what a yes sets going. */
@Timeout(20)
class BreakerProbeTest {

    private static final Duration FIRST_PROBE = Duration.ofMillis(200);

    private final RelayParts parts = new RelayParts();
    private final ScriptedTransport transport = new ScriptedTransport();
    private final SendWindow window = new SendWindow(4, 64, () -> 0);
    private final Claimer claimer = parts.claimer(RelaySettings.defaults().withPollInterval(Duration.ofHours(1)));
    private final BreakerProbe probe = new BreakerProbe(transport, parts.breakers, window, claimer, parts.hooks);

    @Test
    void onlyWhatIsDownIsAskedAndNotBeforeItsTime() throws InterruptedException {
        fail("A", SendFailure.TOPIC_UNAVAILABLE);
        probe.step();
        assertThat(transport.probed()).isEmpty();

        parts.advance(FIRST_PROBE);
        probe.step();
        assertThat(transport.probed()).containsExactly(SendTarget.topic("A"));
    }

    @Test
    void aNoLeavesEverythingStopped() throws InterruptedException {
        transport.probe(target -> false);
        fail("A", SendFailure.CONNECTION_LOST);
        parts.advance(FIRST_PROBE);

        probe.step();
        probe.step();

        assertThat(transport.probed()).as("the next one is not due yet").containsExactly(SendTarget.WHOLE_BROKER);
        assertThat(parts.breakers.brokerIsDown()).isTrue();
    }

    @Test
    void aYesLetsSendsBeginWithASmallWindow() throws InterruptedException {
        fail("A", SendFailure.CONNECTION_LOST);
        parts.advance(FIRST_PROBE);
        assertThat(window.limit()).isEqualTo(64);

        probe.step();

        assertThat(parts.breakers.brokerIsDown()).isFalse();
        assertThat(window.limit()).isEqualTo(4);
        assertThat(parts.heard.all()).as("the outage ends with a confirmation").containsExactly("down *");
    }

    @Test
    void aTopicsYesLeavesTheWindowOfTheOthersAlone() throws InterruptedException {
        fail("A", SendFailure.TOPIC_UNAVAILABLE);
        parts.advance(FIRST_PROBE);

        probe.step();

        assertThat(window.limit()).isEqualTo(64);
        assertThat(parts.breakers.admits("A", "trial")).isTrue();
    }

    @Test
    void aTopicThatRefusesEverythingDoesNotShrinkTheWindowOfTheOthers() {
        SendResultRecorder recorder = new SendResultRecorder(
                RetryRules.all(ExponentialBackoff.standard()),
                parts.settlements,
                window,
                parts.breakers,
                parts.hooks,
                error -> {});
        parts.appendDue("A", 40);

        for (ClaimedEvent event : parts.claim(40)) {
            parts.advance(Duration.ofMillis(150));
            recorder.answered(event, "A", new SendResult.NotConfirmed(SendFailure.NACKED, "full"), 0);
        }

        assertThat(window.limit()).isEqualTo(64);
        assertThat(parts.breakers.admits("A", "another")).isFalse();
        assertThat(parts.takeSettlements().stream().filter(Settlement.Released.class::isInstance))
                .as("what failed while the topic was down costs no attempt")
                .hasSize(20);
    }

    @Test
    void aYesWakesTheClaimer() throws InterruptedException {
        claimer.step(); // finds nothing and would pause for an hour
        Thread waiting = new Thread(this::stepQuietly);
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        fail("A", SendFailure.TOPIC_UNAVAILABLE);
        parts.advance(FIRST_PROBE);

        probe.step();
        waiting.join();

        assertThat(parts.store.claimLimits).hasSize(2);
    }

    @Test
    void theEndOfAnOutageWakesTheClaimerForTheBacklog() throws InterruptedException {
        fail("A", SendFailure.TOPIC_UNAVAILABLE);
        parts.advance(FIRST_PROBE);
        probe.step();
        assertThat(parts.breakers.admits("A", "trial")).isTrue();
        claimer.step(); // the trial took what it may, so this finds nothing, and would pause for an hour
        Thread waiting = new Thread(this::stepQuietly);
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

        parts.breakers.confirmed("A", "trial", parts.hooks.now());
        probe.step();
        waiting.join();

        assertThat(parts.heard.all()).containsExactly("down A", "up A");
        assertThat(parts.store.claimLimits).hasSize(2);
    }

    @Test
    void theEndOfAnOutageLetsTheWindowDoubleAgain() throws InterruptedException {
        window.pushedBack(parts.hooks.now()); // such as NOT_STORED, before the topic counts as down
        parts.advance(FIRST_PROBE);
        window.pushedBack(parts.hooks.now());
        int cut = window.limit();
        fail("A", SendFailure.TOPIC_UNAVAILABLE);
        parts.advance(FIRST_PROBE);
        probe.step();
        assertThat(parts.breakers.admits("A", "trial")).isTrue();
        parts.breakers.confirmed("A", "trial", parts.hooks.now());

        probe.step();
        int taken = window.take(1_000, Duration.ZERO);
        for (int i = 0; i < taken; i++) {
            window.confirmed(1, parts.hooks.now());
        }

        assertThat(taken).isEqualTo(cut);
        assertThat(window.limit()).isEqualTo(2 * cut);
    }

    private void fail(String topic, SendFailure failure) {
        parts.breakers.failed(topic, "row", failure, "test", parts.hooks.now());
    }

    private void stepQuietly() {
        try {
            claimer.step();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
