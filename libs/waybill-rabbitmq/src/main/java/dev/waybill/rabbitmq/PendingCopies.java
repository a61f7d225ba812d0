package dev.waybill.rabbitmq;

import com.rabbitmq.client.ConfirmListener;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.Confirmed;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Copies that were published one after the other on one channel, and what the broker said of each. */
final class PendingCopies implements ConfirmListener {

    private final NavigableMap<Long, UnackedMessage> outstanding = new TreeMap<>();
    private final Map<UnackedMessage, SendResult> results = new HashMap<>();

    /** To be called before the copy is written: its confirm may be quicker than the caller. */
    synchronized void add(long number, UnackedMessage original) {
        outstanding.put(number, original);
    }

    synchronized void refuse(UnackedMessage original, SendResult why) {
        results.put(original, why);
    }

    /** The broker closed the channel over a copy that is too large: some other result for those that are not. */
    synchronized void refuseTooLarge(List<UnackedMessage> originals, long limit, SendResult why) {
        List<UnackedMessage> unconfirmed = originals.stream()
                .filter(original -> !results.containsKey(original))
                .toList();
        List<UnackedMessage> tooLarge = unconfirmed.stream()
                .filter(original -> original.body.length > limit)
                .toList();
        tooLarge.forEach(original -> results.put(original, why));
        if (tooLarge.isEmpty()) { // the broker counts in another way, but it means one of them
            unconfirmed.stream()
                    .max(Comparator.comparingInt(original -> original.body.length))
                    .ifPresent(original -> results.put(original, why));
        }
    }

    @Override
    public synchronized void handleAck(long number, boolean multiple) {
        Map<Long, UnackedMessage> taken = upTo(number, multiple);
        taken.values().forEach(original -> results.put(original, new Confirmed(null)));
        taken.clear();
    }

    @Override
    public synchronized void handleNack(long number, boolean multiple) {
        upTo(number, multiple).clear();
    }

    private Map<Long, UnackedMessage> upTo(long number, boolean multiple) {
        return outstanding.subMap(multiple ? 0 : number, true, number, true);
    }

    /**
     * What became of each.
     *
     * @param otherwise what became of those that the broker did not confirm
     * @param confirmsCount whether a confirm says that a queue has the copy, which it does not when copies were returned
     */
    synchronized Map<UnackedMessage, SendResult> results(
            List<UnackedMessage> originals, SendResult otherwise, boolean confirmsCount) {
        Map<UnackedMessage, SendResult> all = new HashMap<>();
        for (UnackedMessage original : originals) {
            SendResult result = results.getOrDefault(original, otherwise);
            all.put(original, result instanceof Confirmed && !confirmsCount ? otherwise : result);
        }
        return all;
    }
}
