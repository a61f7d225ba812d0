package dev.waybill.testkit;

import static dev.waybill.testkit.SampleMessages.messages;
import static dev.waybill.testkit.SendResultCollector.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Destination;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A paused or killed broker loses nothing that it confirmed, and is found again. */
interface TransportOutageRules extends TransportRules {

    Duration SHORT_TIMEOUT = Duration.ofSeconds(2);

    /** What a busy machine may add to a time-out. */
    Duration SLACK = Duration.ofSeconds(3);

    @Test
    @Tag("outage")
    default void sendsToAPausedBrokerTimeOutAndLaterOnesAreConfirmed() {
        Destination to = fixture().freshDestination();
        Transport transport = started(SHORT_TIMEOUT);
        send(transport, messages(to, 1)).awaitConfirmed(TIMEOUT);

        fixture().pause();
        List<SendResult> results;
        long took;
        try {
            long began = System.nanoTime();
            results = send(transport, messages(to, 20)).await(SHORT_TIMEOUT.plus(SLACK));
            took = System.nanoTime() - began;
            assertThat(transport.probe(SendTarget.topic(to.topic()))).isFalse();
        } finally {
            fixture().resume();
        }

        assertThat(results).allMatch(result -> failureOf(result) == SendFailure.TIMED_OUT, "timed out");
        assertThat(Duration.ofNanos(took)).isGreaterThan(SHORT_TIMEOUT.minusMillis(200));
        awaitRecovery(transport, to);
    }

    @Test
    @Tag("outage")
    default void closeDoesNotWaitForAPausedBroker() {
        Destination to = fixture().freshDestination();
        Transport transport = started(TIMEOUT);
        send(transport, messages(to, 1)).awaitConfirmed(TIMEOUT);

        fixture().pause();
        try {
            SendResultCollector collector = send(transport, messages(to, 20));
            long began = System.nanoTime();
            transport.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SLACK);
            assertThat(collector.await(SLACK)).allMatch(result -> failureOf(result) == SendFailure.CONNECTION_LOST);
        } finally {
            fixture().resume();
        }
    }

    /** One outage answers several questions, because each restart of a real broker takes seconds. */
    @Test
    @Tag("outage")
    default void aKilledBrokerLosesNothingConfirmedAndIsFoundAgain() {
        Destination to = fixture().freshDestination();
        Transport transport = started(SHORT_TIMEOUT);
        awaitConfirmed(transport, to);
        Set<String> confirmed = new HashSet<>();

        BackgroundSender sender = new BackgroundSender(transport, to, SHORT_TIMEOUT.plus(SLACK));
        await().atMost(TIMEOUT).until(() -> sender.batches() >= 5);
        fixture().kill();
        confirmed.addAll(sender.stop());

        long began = System.nanoTime();
        List<SendResult> results = send(transport, messages(to, 20)).await(SHORT_TIMEOUT.plus(SLACK));
        assertThat(results).allMatch(result -> !(result instanceof SendResult.Confirmed));
        assertThat(failureOf(results.get(0))).extracting(SendFailure::scope).isEqualTo(SendFailure.Scope.BROKER);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(SHORT_TIMEOUT.plus(SLACK));
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isFalse();
        assertThat(transport.probe(SendTarget.topic(to.topic()))).isFalse();

        assertThat(send(transport, messages(to, 1)).await(SHORT_TIMEOUT.plus(SLACK)))
                .as("there is no connection, and the transport knows that it never left")
                .allMatch(result -> failureOf(result) == SendFailure.NO_CONNECTION);

        Transport startedDuringTheOutage = started(SHORT_TIMEOUT);
        assertThat(send(startedDuringTheOutage, messages(to, 1)).await(SHORT_TIMEOUT.plus(SLACK)))
                .noneMatch(SendResult.Confirmed.class::isInstance);

        fixture().revive();
        awaitRecovery(transport, to);
        awaitRecovery(startedDuringTheOutage, to);
        Set<String> arrived = new HashSet<>(arrivedIds(to, confirmed.size()));
        // Messages of the recovery are counted too, and a broker that is still recovering may show those first.
        await().atMost(RECOVERY).untilAsserted(() -> {
            if (!arrived.containsAll(confirmed)) {
                arrived.addAll(arrivedIds(to, 1));
            }
            assertThat(arrived).containsAll(confirmed);
        });
    }

    private void awaitRecovery(Transport transport, Destination to) {
        await().atMost(RECOVERY)
                .until(() -> transport.probe(SendTarget.WHOLE_BROKER) && transport.probe(SendTarget.topic(to.topic())));
        awaitConfirmed(transport, to);
        send(transport, messages(to, 50)).awaitConfirmed(TIMEOUT);
    }

    /** Sends until one is confirmed, because the first may miss so short a time-out. */
    private void awaitConfirmed(Transport transport, Destination to) {
        await().atMost(RECOVERY)
                .until(() -> send(transport, messages(to, 1))
                                .await(SHORT_TIMEOUT.plus(SLACK))
                                .get(0)
                        instanceof SendResult.Confirmed);
    }
}
