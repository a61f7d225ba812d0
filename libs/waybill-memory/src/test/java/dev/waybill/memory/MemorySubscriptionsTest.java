package dev.waybill.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.BodyFormat;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.Message;
import dev.waybill.testkit.ManualClock;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemorySubscriptionsTest {

    private final ManualClock clock = ManualClock.at("2026-01-01T00:00:00Z");
    private final MemoryBroker broker = new MemoryBroker(clock);
    private final MemorySubscriptions subscriptions = new MemorySubscriptions(broker);
    private final List<Integer> attempts = new CopyOnWriteArrayList<>();
    private final List<String> tags = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @Test
    void theStandardDelaysPassWhenTheClockIsMoved() {
        subscriptions
                .subscribe(SubscriptionSpec.of("ORDER_TOPIC", "inventory"), batch -> {
                    attempts.add(batch.get(0).attempt());
                    return List.of(new HandlerResult.Retry("not yet"));
                })
                .start();
        send("CREATED");

        await().until(() -> attempts.size() == 1);
        clock.advance(Duration.ofMillis(4_999));
        await().during(Duration.ofMillis(100)).until(() -> attempts.size() == 1);
        clock.advance(Duration.ofMillis(1));
        await().until(() -> attempts.size() == 2);
        clock.advance(Duration.ofSeconds(30));
        await().until(() -> attempts.size() == 3);
        clock.advance(Duration.ofMinutes(2));
        await().until(() -> attempts.size() == 4);
        assertThat(attempts).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aGroupGetsOnlyTheTagsItAskedFor() {
        subscriptions
                .subscribe(SubscriptionSpec.of("ORDER_TOPIC", "inventory").withTag("CREATED || PAID"), batch -> {
                    tags.add(String.valueOf(batch.get(0).headers().get("bizKey")));
                    return List.of(new HandlerResult.Done());
                })
                .start();

        List.of("CREATED", "CANCELED", "PAID").forEach(this::send);

        await().until(() -> tags.size() == 2);
        assertThat(tags).containsExactlyInAnyOrder("CREATED", "PAID");
    }

    private void send(String tag) {
        Destination to = Destination.of("ORDER_TOPIC", tag);
        Event event = Event.builder("OrderCreated")
                .aggregate("Order", "1")
                .bizKey(tag)
                .payload("{}")
                .destination(to)
                .build();
        broker.take(new Message(to, event, Envelope.encode(event, BodyFormat.ENVELOPE)));
    }
}
