package dev.waybill.rocketmq;

import dev.waybill.transport.SendResult.NotConfirmed;
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
record SendBatch(List<PendingSend> shipments, long deadline) {

    /** Sorts shipments into loads by topic, keeping their order, none larger than the limit unless it is alone. */
    static List<SendBatch> pack(List<PendingSend> shipments, int limit, long deadline) {
        Map<String, List<PendingSend>> byTopic = new LinkedHashMap<>();
        for (PendingSend shipment : shipments) {
            byTopic.computeIfAbsent(shipment.message.getTopic(), topic -> new ArrayList<>())
                    .add(shipment);
        }
        List<SendBatch> loads = new ArrayList<>(byTopic.size());
        for (List<PendingSend> sameTopic : byTopic.values()) {
            int from = 0;
            long size = 0;
            for (int i = 0; i < sameTopic.size(); i++) {
                size += sameTopic.get(i).size;
                if (size > limit && i > from) {
                    loads.add(new SendBatch(sameTopic.subList(from, i), deadline));
                    from = i;
                    size = sameTopic.get(i).size;
                }
            }
            loads.add(new SendBatch(sameTopic.subList(from, sameTopic.size()), deadline));
        }
        return loads;
    }

    long size() {
        return shipments.stream().mapToLong(shipment -> shipment.size).sum();
    }

    /** Two loads of half the messages each. */
    List<SendBatch> halves() {
        int middle = shipments.size() / 2;
        return List.of(
                new SendBatch(shipments.subList(0, middle), deadline),
                new SendBatch(shipments.subList(middle, shipments.size()), deadline));
    }

    void confirm() {
        shipments.forEach(PendingSend::confirm);
    }

    void fail(NotConfirmed outcome) {
        for (PendingSend shipment : shipments) {
            shipment.settle(outcome);
        }
    }
}
