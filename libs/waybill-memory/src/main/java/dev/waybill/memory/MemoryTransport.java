package dev.waybill.memory;

import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.Transport;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends to a {@link MemoryBroker}. While the broker neither delays nor keeps silent, outcomes are reported before {@code
 * send} returns, on the caller's thread; otherwise later, on a thread of the transport's, by the broker's clock.
 */
public final class MemoryTransport implements Transport {

    private final MemoryBroker broker;
    private final Duration sendTimeout;
    private @Nullable MemoryPublisher waiting;

    /** A transport with a send time-out of 10 s. */
    public MemoryTransport(MemoryBroker broker) {
        this(broker, Duration.ofSeconds(10));
    }

    public MemoryTransport(MemoryBroker broker, Duration sendTimeout) {
        this.broker = broker;
        this.sendTimeout = sendTimeout;
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public synchronized void start() {
        if (sendTimeout.isZero() || sendTimeout.isNegative()) {
            throw new TransportException(Reason.BAD_SETTING, "sendTimeout must be longer than nothing", null);
        }
        if (waiting == null) {
            waiting = new MemoryPublisher(broker);
        }
    }

    @Override
    public void close() {
        MemoryPublisher leaving = takeAway();
        if (leaving != null) {
            leaving.close(); // outside the lock, because it reports results
        }
    }

    private synchronized @Nullable MemoryPublisher takeAway() {
        MemoryPublisher running = waiting;
        waiting = null;
        return running;
    }

    @Override
    public int batchLimit() {
        return 256;
    }

    @Override
    public boolean probe(SendTarget target) {
        running();
        boolean served = !(target instanceof SendTarget.Topic topic) || broker.serves(topic.name());
        return broker.speaks() && broker.obstacle() == null && served;
    }

    @Override
    public @Nullable String obstacle() {
        NotConfirmed obstacle = broker.obstacle();
        return obstacle == null ? null : "the broker in memory: " + obstacle.detail();
    }

    @Override
    public void send(List<Message> batch, SendResults results) {
        MemoryPublisher publisher = running();
        Instant now = broker.clock().instant();
        for (int i = 0; i < batch.size(); i++) {
            Message message = batch.get(i);
            SendResult refusal = refusal(message);
            if (refusal != null) {
                results.report(i, refusal);
            } else {
                publisher.publish(new PendingSend(message, i, results, broker.answersAt(now), now.plus(sendTimeout)));
            }
        }
    }

    private @Nullable NotConfirmed refusal(Message message) {
        int size = message.body().length;
        if (size > broker.sizeLimit()) {
            return new NotConfirmed(SendFailure.TOO_LARGE, "body of " + size + " bytes, limit " + broker.sizeLimit());
        }
        return message.destination().topic().indexOf('\0') >= 0
                ? new NotConfirmed(SendFailure.ILLEGAL_MESSAGE, "a topic's name has no NUL")
                : null;
    }

    private synchronized MemoryPublisher running() {
        if (waiting == null) {
            throw new TransportException(Reason.NOT_RUNNING, "memory is not started, or closed", null);
        }
        return waiting;
    }
}
