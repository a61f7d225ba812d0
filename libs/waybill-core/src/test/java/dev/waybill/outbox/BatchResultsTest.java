package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Message;
import dev.waybill.outbox.MessageFactory.RefusedEventException;
import dev.waybill.retry.ExponentialBackoff;
import dev.waybill.retry.RetryRules;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One batch at the broker: each message has one result, the first. */
class BatchResultsTest {

    private final RelayParts parts = new RelayParts();
    private final SendWindow window = new SendWindow(4, 64, () -> 0);
    private final SendResultRecorder recorder = new SendResultRecorder(
            RetryRules.all(ExponentialBackoff.standard()),
            parts.settlements,
            window,
            parts.breakers,
            parts.hooks,
            error -> {});

    @Test
    void onlyTheFirstAnswerToAMessageCounts() throws Exception {
        BatchResults results = batch(2);

        results.report(1, new SendResult.Confirmed("first"));
        results.report(1, new SendResult.NotConfirmed(SendFailure.NACKED, "second thought"));
        results.failAll(new SendResult.NotConfirmed(SendFailure.TIMED_OUT, "no answer"));
        results.report(0, new SendResult.Confirmed("too late"));

        List<Settlement> settlements = parts.takeSettlements();
        assertThat(settlements).hasSize(2);
        assertThat(settlements.get(0)).isInstanceOfSatisfying(Settlement.Sent.class, sent -> {
            assertThat(sent.row().eventId()).isEqualTo("A-1");
            assertThat(sent.brokerId()).isEqualTo("first");
        });
        assertThat(settlements.get(1)).isInstanceOfSatisfying(Settlement.Retry.class, retry -> {
            assertThat(retry.row().eventId()).isEqualTo("A-0");
            assertThat(retry.error()).isEqualTo("TIMED_OUT: no answer");
        });
        assertThat(window.inFlight()).as("each place was given back once").isZero();
    }

    private BatchResults batch(int size) throws InterruptedException, RefusedEventException {
        MessageFactory factory = new MessageFactory(event -> null, BodyFormat.ENVELOPE);
        parts.appendDue("A", size);
        List<ClaimedEvent> claimed = parts.claim(size);
        List<Message> messages = new ArrayList<>();
        for (ClaimedEvent event : claimed) {
            messages.add(factory.make(event.event()));
        }
        assertThat(window.take(size, java.time.Duration.ofSeconds(1))).isEqualTo(size);
        return new BatchResults(messages, claimed, recorder, parts.hooks.now());
    }
}
