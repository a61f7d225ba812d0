package dev.waybill.memory;

import dev.waybill.message.Destination;
import dev.waybill.message.Message;
import dev.waybill.transport.SendResult.Confirmed;
import java.nio.file.Path;
import java.time.Duration;

/** Sends and consumes until it is killed; prints what the broker confirmed, and what it is about to acknowledge and has acknowledged. */
final class JournalWriter {

    static final String TOPIC = "ORDERS";
    static final String GROUP = "inventory";

    private JournalWriter() {}

    public static void main(String[] arguments) {
        MemoryBroker broker =
                MarketTopology.declare(MemoryBroker.keptIn(Path.of(arguments[0])), Duration.ofMinutes(15));
        for (int i = 0; i < 2; i++) {
            forEver(() -> sent(broker, MarketTopology.message("order.paid")));
            forEver(() -> {
                Message like = MarketTopology.message("x");
                sent(broker, new Message(Destination.of(TOPIC), like.event(), like.body()));
            });
            forEver(() -> consume(broker.source(MarketTopology.FULFILMENT, GROUP)));
            forEver(() -> consume(broker.source(TOPIC, GROUP)));
        }
    }

    private static void sent(MemoryBroker broker, Message message) {
        if (broker.take(message) instanceof Confirmed) {
            System.out.println("sent " + message.event().eventId());
        }
    }

    private static void consume(MessageSource source) throws InterruptedException {
        for (QueuedMessage message : source.take(3, stored -> true, 1)) {
            System.out.println("take " + message.messageId());
            source.forget(message);
            System.out.println("done " + message.messageId());
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static void forEver(Step step) {
        new Thread(() -> {
                    try {
                        while (true) {
                            step.run();
                        }
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .start();
    }
}
