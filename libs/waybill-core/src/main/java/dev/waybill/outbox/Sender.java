package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints.Place;
import dev.waybill.message.Message;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult.NotConfirmed;
import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Sends what waits, as much at once as the window allows. */
final class Sender {

    private static final Duration PATIENCE = Duration.ofMillis(50);

    /** While the settler writes it signals no one, so the sender polls; a batch takes some milliseconds. */
    private static final long ROOM_PAUSE = Duration.ofMillis(1).toNanos();

    private final Transport transport;
    private final PreparedMessages prepared;
    private final SendWindow window;
    private final RepeatBudget budget;
    private final SendResultRecorder results;
    private final RelayHooks hooks;
    private final BatchLinger linger;

    Sender(
            Transport transport,
            PreparedMessages prepared,
            SendWindow window,
            RepeatBudget budget,
            SendResultRecorder results,
            RelayHooks hooks) {
        this.transport = transport;
        this.prepared = prepared;
        this.window = window;
        this.budget = budget;
        this.results = results;
        this.hooks = hooks;
        this.linger = BatchLinger.forMessages(transport.batchLinger(), System.nanoTime());
    }

    void step() throws InterruptedException {
        if (!prepared.await(PATIENCE)) {
            return;
        }
        prepared.lookForSilence();
        if (prepared.releaseWhileBrokerIsDown()) {
            return;
        }
        int batch = transport.batchLimit();
        lingerFor(batch);
        int room = budget.room();
        prepared.prepareUpTo(room <= 0 || window.isFull() ? Math.max(batch, window.limit()) : batch);
        if (room <= 0) {
            LockSupport.parkNanos(this, ROOM_PAUSE);
            return;
        }
        int wanted = Math.min(batch, prepared.size());
        int places = window.take(Math.min(wanted, room), PATIENCE);
        if (places > 0) {
            send(places);
        }
    }

    private void lingerFor(int batch) {
        for (long left = linger.pause(System.nanoTime());
                left > 0
                        && prepared.waiting() < batch
                        && !Thread.currentThread().isInterrupted();
                left = linger.pause(System.nanoTime())) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void send(int places) {
        Map<ClaimedEvent, Message> batch = prepared.takeSendable(places);
        window.giveBack(places - batch.size());
        if (!batch.isEmpty()) {
            hooks.reached(Place.SENDING);
            send(List.copyOf(batch.keySet()), List.copyOf(batch.values()));
            linger.sent(batch.size(), System.nanoTime());
            hooks.reached(Place.SENT_OFF);
        }
    }

    private void send(List<ClaimedEvent> events, List<Message> messages) {
        BatchResults batch = new BatchResults(messages, events, results, hooks.now());
        try {
            transport.send(messages, batch);
        } catch (RuntimeException e) {
            batch.failAll(new NotConfirmed(SendFailure.CONNECTION_LOST, String.valueOf(e)));
        }
    }
}
