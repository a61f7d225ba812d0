package dev.waybill.faults;

import dev.waybill.inbox.InboxListener;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.transport.Delivery;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** A handler that fails for the events it is told to, and remembers every delivery. */
final class FailingHandler {

    record Seen(String eventId, int attempt, long nanos) {}

    final List<Seen> deliveries = new CopyOnWriteArrayList<>();
    final Set<String> broken = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();
    volatile String failTwice = "";
    volatile boolean allBroken;

    ConsumerNode open(NodeSettings spec) {
        return new ConsumerNode(spec, this::handle, new InboxListener() {}, Checkpoints.NONE, this::seen);
    }

    private void seen(Delivery delivery) {
        deliveries.add(new Seen(String.valueOf(delivery.messageId()), delivery.attempt(), System.nanoTime()));
    }

    private HandlerResult handle(Connection connection, Event event) throws SQLException {
        ConsumerNode.effect(connection, event);
        boolean fails = event.eventId().equals(failTwice) && calls.merge(failTwice, 1, Integer::sum) <= 2;
        if (fails || allBroken || broken.contains(event.eventId())) {
            throw new IllegalStateException("broken for now");
        }
        return HandlerResult.DONE;
    }

    List<Integer> attempts(Event event) {
        return of(event).stream().map(Seen::attempt).toList();
    }

    List<Long> waits(Event event) {
        List<Seen> seen = of(event);
        return IntStream.range(1, seen.size())
                .mapToObj(i -> (seen.get(i).nanos - seen.get(i - 1).nanos) / 1_000_000)
                .toList();
    }

    private List<Seen> of(Event event) {
        return deliveries.stream()
                .filter(each -> each.eventId.equals(event.eventId()))
                .toList();
    }
}
