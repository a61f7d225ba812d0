package dev.waybill.rocketmq;

import dev.waybill.transport.SendResult.NotConfirmed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What goes to the broker in one request: messages of one topic, small enough together.
 *
 * @param sends at least one
 * @param deadline by {@link System#nanoTime}
 */
record SendBatch(List<PendingSend> sends, long deadline) {

    /** Sorts sends into batches by topic, keeping their order, none larger than the limit unless it is alone. */
    static List<SendBatch> pack(List<PendingSend> sends, int limit, long deadline) {
        Map<String, List<PendingSend>> byTopic = new LinkedHashMap<>();
        for (PendingSend send : sends) {
            byTopic.computeIfAbsent(send.message.getTopic(), topic -> new ArrayList<>())
                    .add(send);
        }
        List<SendBatch> batches = new ArrayList<>(byTopic.size());
        for (List<PendingSend> sameTopic : byTopic.values()) {
            int from = 0;
            long size = 0;
            for (int i = 0; i < sameTopic.size(); i++) {
                size += sameTopic.get(i).size;
                if (size > limit && i > from) {
                    batches.add(new SendBatch(sameTopic.subList(from, i), deadline));
                    from = i;
                    size = sameTopic.get(i).size;
                }
            }
            batches.add(new SendBatch(sameTopic.subList(from, sameTopic.size()), deadline));
        }
        return batches;
    }

    long size() {
        return sends.stream().mapToLong(send -> send.size).sum();
    }

    /** Two batches of half the messages each. */
    List<SendBatch> halves() {
        int middle = sends.size() / 2;
        return List.of(
                new SendBatch(sends.subList(0, middle), deadline),
                new SendBatch(sends.subList(middle, sends.size()), deadline));
    }

    void confirm() {
        sends.forEach(PendingSend::confirm);
    }

    void fail(NotConfirmed result) {
        for (PendingSend send : sends) {
            send.settle(result);
        }
    }
}
