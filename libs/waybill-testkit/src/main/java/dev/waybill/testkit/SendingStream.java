package dev.waybill.testkit;

import static dev.waybill.testkit.SampleMessages.confirmed;
import static dev.waybill.testkit.SampleMessages.messages;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Sends small batches one after another until it is stopped. */
final class SendingStream {

    private final Transport transport;
    private final Destination to;
    private final Duration patience;
    private final List<Message> sent = new ArrayList<>();
    private final List<SendResultCollector> answers = new ArrayList<>();
    private final Thread thread;
    private final AtomicInteger batches = new AtomicInteger();
    private volatile boolean stopped;

    SendingStream(Transport transport, Destination to, Duration patience) {
        this.patience = patience;
        this.transport = transport;
        this.to = to;
        this.thread = new Thread(this::run, "stream");
        thread.start();
    }

    private void run() {
        while (!stopped) {
            List<Message> batch = messages(to, 20);
            sent.addAll(batch);
            SendResultCollector answer = TransportContract.send(transport, batch);
            answers.add(answer);
            answer.await(patience);
            batches.incrementAndGet();
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** How many batches have all their outcomes. */
    int batches() {
        return batches.get();
    }

    /** The ids of everything that was confirmed. */
    Set<String> stop() {
        stopped = true;
        try {
            thread.join(patience.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        assertThat(thread.isAlive()).as("a sender hangs").isFalse();
        List<SendResult> outcomes =
                answers.stream().flatMap(each -> each.await(patience).stream()).toList();
        assertThat(outcomes).hasSameSizeAs(sent);
        return confirmed(sent, outcomes);
    }
}
