package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.Transport;
import dev.waybill.transport.Transport.SendResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Collects the results of one send and notices a second one for the same message. */
final class SendResultCollector implements SendResults {

    private final AtomicReferenceArray<@Nullable SendResult> first;
    private final AtomicInteger repeats = new AtomicInteger();
    private final CountDownLatch missing;

    private SendResultCollector(int messages) {
        this.first = new AtomicReferenceArray<>(messages);
        this.missing = new CountDownLatch(messages);
    }

    /** Sends a batch and collects its results. */
    static SendResultCollector send(Transport transport, List<Message> batch) {
        SendResultCollector results = new SendResultCollector(batch.size());
        transport.send(batch, results);
        return results;
    }

    @Override
    public void report(int index, SendResult result) {
        if (first.compareAndSet(index, null, result)) {
            missing.countDown();
        } else {
            repeats.incrementAndGet();
        }
    }

    /** All results in the order of the messages; fails when one is still missing after this long. */
    List<SendResult> await(Duration patience) {
        try {
            assertThat(missing.await(patience.toMillis(), TimeUnit.MILLISECONDS))
                    .as("every message has an result within %s, %d have none", patience, missing.getCount())
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for results", e);
        }
        assertThat(repeats).as("second results for the same message").hasValue(0);
        List<SendResult> results = new ArrayList<>(first.length());
        for (int i = 0; i < first.length(); i++) {
            SendResult result = first.get(i);
            if (result != null) {
                results.add(result);
            }
        }
        return results;
    }

    void awaitConfirmed(Duration patience) {
        assertThat(await(patience)).allMatch(result -> result instanceof SendResult.Confirmed, "is confirmed");
    }

    int repeats() {
        return repeats.get();
    }

    static @Nullable SendFailure failureOf(SendResult result) {
        return result instanceof NotConfirmed failed ? failed.failure() : null;
    }
}
