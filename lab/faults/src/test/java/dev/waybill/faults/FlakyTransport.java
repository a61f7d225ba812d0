package dev.waybill.faults;

import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A real transport whose every n-th message comes back with a very long error in several scripts. */
record FlakyTransport(Transport real, int every, AtomicInteger count) implements Transport {

    private static final String LONG_ERROR = "连接失败 ✗ broken pipe; ".repeat(200).substring(0, 3000);

    static Transport perhaps(NodeSettings spec, Transport real) {
        int every = spec.number("failEvery", 0);
        return every == 0 ? real : new FlakyTransport(real, every, new AtomicInteger());
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public void start() {
        real.start();
    }

    @Override
    public void send(List<Message> batch, SendResults results) {
        List<Message> passed = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (count.incrementAndGet() % every == 0) {
                results.report(i, new SendResult.NotConfirmed(SendFailure.NACKED, LONG_ERROR));
            } else {
                passed.add(batch.get(i));
                places.add(i);
            }
        }
        real.send(passed, (index, outcome) -> results.report(places.get(index), outcome));
    }

    @Override
    public int batchLimit() {
        return real.batchLimit();
    }

    @Override
    public boolean probe(SendTarget target) {
        return real.probe(target);
    }

    @Override
    public void close() {
        real.close();
    }
}
