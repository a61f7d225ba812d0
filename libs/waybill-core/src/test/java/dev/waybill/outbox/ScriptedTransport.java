package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/** A transport that answers as the test says, at once or when it is told to. */
final class ScriptedTransport implements Transport {

    private final List<Message> sent = new CopyOnWriteArrayList<>();
    private final List<SendTarget> probed = new CopyOnWriteArrayList<>();
    private final List<Runnable> heldBack = new ArrayList<>();
    private volatile Function<Message, SendResult> answer = message -> new SendResult.Confirmed("broker-id");
    private volatile Predicate<SendTarget> probe = target -> true;
    private volatile int batchLimit = 10;
    private final AtomicInteger closed = new AtomicInteger();
    private boolean holding;

    void answer(Function<Message, SendResult> answer) {
        this.answer = answer;
    }

    void fail(SendFailure failure) {
        answer = message -> new SendResult.NotConfirmed(failure, "scripted");
    }

    void confirm() {
        answer = message -> new SendResult.Confirmed("broker-id");
    }

    void probe(Predicate<SendTarget> probe) {
        this.probe = probe;
    }

    void batchLimit(int limit) {
        this.batchLimit = limit;
    }

    /** From now on answers wait for {@link #answerHeldBack}. */
    synchronized void holdBack() {
        holding = true;
    }

    /** Gives the answers that were held back, and answers at once from now on. */
    void answerHeldBack() {
        List<Runnable> answers;
        synchronized (this) {
            holding = false;
            answers = List.copyOf(heldBack);
            heldBack.clear();
        }
        answers.forEach(Runnable::run);
    }

    /** The ids of all events that were sent, in the order of sending. */
    List<String> sent() {
        return sent.stream().map(message -> message.event().eventId()).toList();
    }

    List<Message> messages() {
        return List.copyOf(sent);
    }

    int timesClosed() {
        return closed.get();
    }

    List<SendTarget> probed() {
        return List.copyOf(probed);
    }

    @Override
    public void send(List<Message> batch, SendResults results) {
        assertThat(batch).hasSizeLessThanOrEqualTo(batchLimit);
        sent.addAll(batch);
        for (int i = 0; i < batch.size(); i++) {
            int index = i;
            SendResult result = answer.apply(batch.get(i));
            Runnable report = () -> results.report(index, result);
            boolean wait;
            synchronized (this) {
                wait = holding;
                if (wait) {
                    heldBack.add(report);
                }
            }
            if (!wait) {
                report.run();
            }
        }
    }

    @Override
    public boolean probe(SendTarget target) {
        probed.add(target);
        return probe.test(target);
    }

    @Override
    public String name() {
        return "scripted";
    }

    @Override
    public void start() {}

    @Override
    public int batchLimit() {
        return batchLimit;
    }

    @Override
    public void close() {
        closed.incrementAndGet();
    }
}
