package dev.waybill.testkit;

import static dev.waybill.testkit.SampleMessages.confirmed;
import static dev.waybill.testkit.SampleMessages.messages;
import static dev.waybill.testkit.SendResultCollector.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Start and close: in any order, and no message is left without a result. */
interface TransportStartStopRules extends TransportRules {

    @Test
    default void startAndCloseMayComeTwiceAndInAnyOrder() {
        Destination to = fixture().freshDestination();
        Transport transport = transport(TIMEOUT);
        transport.close();
        transport.start();
        transport.start();
        send(transport, messages(to, 3)).awaitConfirmed(TIMEOUT);
        transport.close();
        transport.close();
        transport.start();
        send(transport, messages(to, 3)).awaitConfirmed(TIMEOUT);
        assertThat(fixture().arrived(to, 6)).hasSize(6);
    }

    @Test
    default void nothingIsSentBeforeStartOrAfterClose() {
        Destination to = fixture().freshDestination();
        Transport transport = transport(TIMEOUT);
        assertNotRunning(transport, to);
        transport.start();
        transport.close();
        assertNotRunning(transport, to);
    }

    @Test
    default void closeGivesAResultToEveryOutstandingMessage() {
        Destination to = fixture().freshDestination();
        Transport transport = started(TIMEOUT);
        send(transport, messages(to, 1)).awaitConfirmed(TIMEOUT);
        List<Message> sent = messages(to, 2_000);

        SendResultCollector collector = send(transport, sent);
        transport.close();

        List<SendResult> results = collector.await(Duration.ofSeconds(1));
        assertThat(results)
                .allMatch(result ->
                        result instanceof SendResult.Confirmed || failureOf(result) == SendFailure.CONNECTION_LOST);
        Set<String> arrived = arrivedIds(to, confirmed(sent, results).size());
        Set<String> lost = new HashSet<>(confirmed(sent, results));
        lost.removeAll(arrived); // AssertJ would compare each with each
        assertThat(lost).as("confirmed and not there").isEmpty();
    }

    private void assertNotRunning(Transport transport, Destination to) {
        assertThatThrownBy(() -> send(transport, messages(to, 1)))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.reason()).isEqualTo(TransportException.Reason.NOT_RUNNING));
    }
}
