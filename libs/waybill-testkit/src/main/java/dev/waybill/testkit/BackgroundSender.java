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
final class BackgroundSender {

    private final Transport transport;
    private final Destination to;
    private final Duration patience;
    private final List<Message> sent = new ArrayList<>();
    private final List<SendResultCollector> collectors = new ArrayList<>();
    private final Thread thread;
    private final AtomicInteger batches = new AtomicInteger();
    private volatile boolean stopped;

    BackgroundSender(Transport transport, Destination to, Duration patience) {
        this.patience = patience;
        this.transport = transport;
        this.to = to;
        this.thread = new Thread(this::run, "background-sender");
        thread.start();
    }

    private void run() {
        while (!stopped) {
            List<Message> batch = messages(to, 20);
            sent.addAll(batch);
            SendResultCollector results = SendResultCollector.send(transport, batch);
            collectors.add(results);
            results.await(patience);
            batches.incrementAndGet();
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** How many batches have all their results. */
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
        assertThat(thread.isAlive()).as("the sender is still running").isFalse();
        List<SendResult> results = collectors.stream()
                .flatMap(each -> each.await(patience).stream())
                .toList();
        assertThat(results).hasSameSizeAs(sent);
        return confirmed(sent, results);
    }
}
