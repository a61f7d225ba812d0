package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.Transport.SendResults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Collects the outcomes of one send and notices a second one for the same message. */
final class SendResultCollector implements SendResults {

    private final AtomicReferenceArray<@Nullable SendResult> first;
    private final AtomicInteger repeats = new AtomicInteger();
    private final CountDownLatch missing;

    SendResultCollector(int messages) {
        this.first = new AtomicReferenceArray<>(messages);
        this.missing = new CountDownLatch(messages);
    }

    @Override
    public void report(int index, SendResult outcome) {
        if (first.compareAndSet(index, null, outcome)) {
            missing.countDown();
        } else {
            repeats.incrementAndGet();
        }
    }

    /** All outcomes, by the message's place; fails when one is still missing after this long. */
    List<SendResult> await(Duration patience) {
        try {
            assertThat(missing.await(patience.toMillis(), TimeUnit.MILLISECONDS))
                    .as("every message has an outcome within %s, %d have none", patience, missing.getCount())
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for outcomes", e);
        }
        assertThat(repeats).as("second outcomes for the same message").hasValue(0);
        List<SendResult> outcomes = new ArrayList<>(first.length());
        for (int i = 0; i < first.length(); i++) {
            SendResult outcome = first.get(i);
            if (outcome != null) {
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    void awaitConfirmed(Duration patience) {
        assertThat(await(patience)).allMatch(outcome -> outcome instanceof SendResult.Confirmed, "is confirmed");
    }

    int repeats() {
        return repeats.get();
    }

    static @Nullable SendFailure failureOf(SendResult outcome) {
        return outcome instanceof NotConfirmed failed ? failed.failure() : null;
    }
}
