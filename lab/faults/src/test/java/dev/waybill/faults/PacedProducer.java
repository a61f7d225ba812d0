package dev.waybill.faults;

import dev.waybill.message.Event;
import java.util.concurrent.locks.LockSupport;

/**
 * Commits one event every 5 ms and prints, for each, its id and the time just before COMMIT was sent. With {@code relay=0} it has
 * no relay of its own.
 */
final class PacedProducer {

    private static final long PACE = 5_000_000;

    private PacedProducer() {}

    public static void main(String[] arguments) {
        NodeSettings spec = NodeSettings.parse(arguments);
        try (RelayNode node = new RelayNode(spec)) {
            boolean relays = spec.number("relay", 1) != 0;
            int events = spec.number("events", 100);
            if (relays) {
                node.relay.start();
            }
            StringBuilder lines = new StringBuilder();
            long next = System.nanoTime();
            for (int i = 0; i < events; i++) {
                Event event = Producers.event();
                long[] before = new long[1];
                node.transact(connection -> {
                    String id = node.outbox.publish(event);
                    before[0] = Clocks.epochMicros(); // the next thing that happens is COMMIT
                    return id;
                });
                lines.append("COMMITTING ")
                        .append(event.eventId())
                        .append(' ')
                        .append(before[0])
                        .append('\n');
                next += PACE;
                LockSupport.parkNanos(next - System.nanoTime());
            }
            System.out.print(lines);
            if (relays) {
                awaitSent(node, events);
            }
            System.out.println("DONE");
        }
    }

    /** Nobody else sends what a relay leaves behind. */
    private static void awaitSent(RelayNode node, int events) {
        while (node.relay.stats().sent() < events) {
            LockSupport.parkNanos(PACE);
        }
    }
}
