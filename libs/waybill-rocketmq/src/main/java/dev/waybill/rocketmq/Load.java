package dev.waybill.rocketmq;

import dev.waybill.transport.Outcome.NotConfirmed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What goes to the broker in one request: messages of one topic, small enough together.
 *
 * @param shipments at least one
 * @param deadline by {@link System#nanoTime}
 */
record Load(List<Shipment> shipments, long deadline) {

    /** Sorts shipments into loads by topic, keeping their order, none larger than the limit unless it is alone. */
    static List<Load> pack(List<Shipment> shipments, int limit, long deadline) {
        Map<String, List<Shipment>> byTopic = new LinkedHashMap<>();
        for (Shipment shipment : shipments) {
            byTopic.computeIfAbsent(shipment.message.getTopic(), topic -> new ArrayList<>())
                    .add(shipment);
        }
        List<Load> loads = new ArrayList<>(byTopic.size());
        for (List<Shipment> sameTopic : byTopic.values()) {
            int from = 0;
            long size = 0;
            for (int i = 0; i < sameTopic.size(); i++) {
                size += sameTopic.get(i).size;
                if (size > limit && i > from) {
                    loads.add(new Load(sameTopic.subList(from, i), deadline));
                    from = i;
                    size = sameTopic.get(i).size;
                }
            }
            loads.add(new Load(sameTopic.subList(from, sameTopic.size()), deadline));
        }
        return loads;
    }

    long size() {
        return shipments.stream().mapToLong(shipment -> shipment.size).sum();
    }

    /** Two loads of half the messages each. */
    List<Load> halves() {
        int middle = shipments.size() / 2;
        return List.of(
                new Load(shipments.subList(0, middle), deadline),
                new Load(shipments.subList(middle, shipments.size()), deadline));
    }

    void confirm() {
        shipments.forEach(Shipment::confirm);
    }

    void fail(NotConfirmed outcome) {
        for (Shipment shipment : shipments) {
            shipment.settle(outcome);
        }
    }
}
