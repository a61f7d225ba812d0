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

/** One test's broker, sender and receivers. Closing it closes all of them. */
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
        // The rules count messages, so nothing may be sent twice because the first send did not find its topic in time.
        await().atMost(SubscriptionRules.RECOVERY).until(() -> transport.probe(SendTarget.topic(to.topic())));
        List<Message> messages = SampleMessages.messages(to, count);
        SendResultCollector.send(transport, messages).awaitConfirmed(SubscriptionRules.PATIENCE);
        return messages;
    }

    /** Sends a message and says whether the broker confirmed it. */
    boolean confirms(Destination to) {
        return SendResultCollector.send(transport, SampleMessages.messages(to, 1))
                        .await(SubscriptionRules.PATIENCE)
                        .get(0)
                instanceof SendResult.Confirmed;
    }

    @Override
    public void close() {
        running.forEach(each -> each.stop(Duration.ofSeconds(1)));
        subscriptions.close();
        transport.close();
        fixture.close();
    }
}
