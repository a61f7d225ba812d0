package dev.waybill.outbox;

import dev.waybill.message.Message;
import dev.waybill.outbox.MessageFactory.RefusedEventException;
import dev.waybill.store.ClaimedEvent;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events whose messages are made and only need a place in the window, in the order in which they came. One thread fills
 * and empties it; a stop that could not wait for that thread releases from another one.
 */
final class PreparedMessages {

    /** Large messages are not prepared far ahead: each is in memory twice then. */
    private static final long MAX_BYTES = 4L << 20;

    private static final long LOOK_PAUSE = Duration.ofMillis(100).toNanos();

    private final SendQueue queue;
    private final MessageFactory factory;
    private final Breakers breakers;
    private final SendResultRecorder results;
    private final RelayHooks hooks;
    private final Map<ClaimedEvent, Message> prepared = new LinkedHashMap<>();
    private final long leaseNeeded;
    private long bytes;
    private long looked;

    PreparedMessages(
            SendQueue queue,
            MessageFactory factory,
            Breakers breakers,
            SendResultRecorder results,
            RelayHooks hooks,
            Duration lease) {
        this.queue = queue;
        this.factory = factory;
        this.breakers = breakers;
        this.results = results;
        this.hooks = hooks;
        this.leaseNeeded = lease.toNanos() / 5;
        this.looked = hooks.now();
    }

    /**
     * Looks, a few times a second, which topics keep messages without an answer. Called by the sender, because the thread of the
     * probes may wait for a broker for seconds.
     */
    void lookForSilence() {
        long now = hooks.now();
        if (now - looked >= LOOK_PAUSE) {
            looked = now;
            breakers.lookForSilence(now);
        }
    }

    /** Waits for a first message; false when none came within the patience. */
    boolean await(Duration patience) throws InterruptedException {
        if (size() == 0) {
            ClaimedEvent first = queue.next(patience);
            if (first == null) {
                return false;
            }
            prepare(first);
        }
        return true;
    }

    /** Prepares messages while the window is full, so that a broker that confirms hundreds at once gets hundreds at once. */
    void prepareUpTo(int many) {
        while (size() < many && bytes() < MAX_BYTES) {
            ClaimedEvent next = queue.nextNow();
            if (next == null) {
                return;
            }
            prepare(next);
        }
    }

    /** Takes up to this many that may be sent. Leases and breakers are checked here: some messages were prepared a while ago. */
    Map<ClaimedEvent, Message> takeSendable(int most) {
        Map<ClaimedEvent, Message> sendable = new LinkedHashMap<>();
        for (int i = 0; i < most; i++) {
            Map.Entry<ClaimedEvent, Message> next = take();
            if (next != null && maySend(next.getKey(), next.getValue())) {
                sendable.put(next.getKey(), next.getValue());
            }
        }
        return sendable;
    }

    /** Whether the broker is down; then nothing waits for it here. */
    boolean releaseWhileBrokerIsDown() {
        boolean down = breakers.brokerIsDown();
        if (down) {
            releaseAll();
        }
        return down;
    }

    /** Releases everything that waits, prepared or not. */
    void releaseAll() {
        for (Map.Entry<ClaimedEvent, Message> next = take(); next != null; next = take()) {
            results.released(next.getKey(), Duration.ZERO);
        }
        for (ClaimedEvent next = queue.nextNow(); next != null; next = queue.nextNow()) {
            results.released(next, Duration.ZERO);
        }
    }

    synchronized int size() {
        return prepared.size();
    }

    /** Events that wait to be sent, prepared or not. */
    int waiting() {
        return size() + queue.size();
    }

    private void prepare(ClaimedEvent event) {
        try {
            Message message = factory.make(event.event());
            synchronized (this) {
                prepared.put(event, message);
                bytes += message.body().length;
            }
        } catch (RefusedEventException e) {
            results.refused(event, e.result);
        }
    }

    private boolean maySend(ClaimedEvent event, Message message) {
        if (event.leaseLeft(hooks.now()) < leaseNeeded) {
            results.released(event, Duration.ZERO); // the fence keeps this from undoing somebody else's claim
            return false;
        }
        String topic = message.destination().topic();
        if (!breakers.admits(topic, event.rowKey())) {
            results.released(event, SendResultRecorder.TOPIC_DOWN_DELAY);
            return false;
        }
        breakers.sent(topic, hooks.now());
        return true;
    }

    private synchronized Map.@Nullable Entry<ClaimedEvent, Message> take() {
        Iterator<Map.Entry<ClaimedEvent, Message>> oldest = prepared.entrySet().iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        Map.Entry<ClaimedEvent, Message> entry = oldest.next();
        Map.Entry<ClaimedEvent, Message> taken = Map.entry(entry.getKey(), entry.getValue());
        oldest.remove();
        bytes -= taken.getValue().body().length;
        return taken;
    }

    private synchronized long bytes() {
        return bytes;
    }
}
