package dev.waybill.testkit;

import static org.awaitility.Awaitility.await;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One test's broker, sender and receivers, from its beginning to its end. */
final class SubscriptionHarness implements AutoCloseable {

    final SubscriptionFixture fixture;
    final Subscriptions subscriptions;
    private final Transport transport;
    private final List<Lifecycle> running = new ArrayList<>();

    SubscriptionHarness(SubscriptionFixture fixture) {
        this.fixture = fixture;
        this.subscriptions = fixture.subscriptions();
        this.transport = fixture.transport();
        transport.start();
    }

    Lifecycle run(Lifecycle lifecycle) {
        running.add(lifecycle);
        lifecycle.start();
        return lifecycle;
    }

    List<Message> send(Destination to, int count) {
        // Contracts count messages, so none may be sent twice because a busy machine was slow to find the way.
        await().atMost(SubscriptionRules.RECOVERY).until(() -> transport.probe(SendTarget.topic(to.topic())));
        List<Message> messages = SampleMessages.messages(to, count);
        SendResultCollector answers = new SendResultCollector(count);
        transport.send(messages, answers);
        answers.awaitConfirmed(SubscriptionRules.PATIENCE);
        return messages;
    }

    /** Whether a message goes through. */
    boolean reaches(Destination to) {
        SendResultCollector answers = new SendResultCollector(1);
        transport.send(SampleMessages.messages(to, 1), answers);
        return answers.await(SubscriptionRules.PATIENCE).get(0) instanceof SendResult.Confirmed;
    }

    @Override
    public void close() {
        running.forEach(each -> each.stop(Duration.ofSeconds(1)));
        subscriptions.close();
        transport.close();
        fixture.close();
    }
}
