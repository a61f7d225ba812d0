package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Destination;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.message.MalformedEventException;
import dev.waybill.message.Message;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Sends what waits, as much at once as the window allows, and passes the broker's answers on. */
final class Sender {

    private static final Duration MOMENT = Duration.ofMillis(50);
    /** How long a claimed stays away whose topic is down; it costs no attempt. */
    private static final Duration BACK_LATER = Duration.ofSeconds(1);

    /** The settler is at work and wakes nobody up; a batch takes it some milliseconds. */
    private static final long ROOM_PAUSE = Duration.ofMillis(1).toNanos();

    /** Large messages are not prepared far ahead: each is in memory twice then. */
    private static final long MOST_BYTES = 4L << 20;

    private final RelayParts parts;
    private final HandoffQueue intake;
    private final SendWindow window;
    private final Breakers breakers;
    private final Consumer<Ending> endings;
    private final IntSupplier unsettled;
    private final long safeRemainder;
    private final BatchLinger cadence;
    /** A stop that could not wait for this thread empties it from another one. */
    private final LinkedBlockingQueue<Ready> ready = new LinkedBlockingQueue<>();

    private final AtomicLong readyBytes = new AtomicLong();

    /** A claimed whose message only needs a place in the window. */
    private record Ready(Held held, Message message) {}

    Sender(
            RelayParts parts,
            HandoffQueue intake,
            SendWindow window,
            Breakers breakers,
            Consumer<Ending> endings,
            IntSupplier unsettled) {
        this.parts = parts;
        this.intake = intake;
        this.window = window;
        this.breakers = breakers;
        this.endings = endings;
        this.unsettled = unsettled;
        this.safeRemainder = parts.settings().lease().toNanos() / 5;
        this.cadence = new BatchLinger(parts.transport().batchLinger(), System.nanoTime());
    }

    void step() throws InterruptedException {
        if (ready.isEmpty()) {
            Held first = intake.next(MOMENT);
            if (first == null) {
                return;
            }
            prepare(first);
        }
        if (breakers.brokerIsDown()) {
            giveBackAll();
            return;
        }
        awaitCompany();
        int batch = parts.transport().batchLimit();
        int room = room();
        prepareUpTo(room <= 0 || window.isFull() ? Math.max(batch, window.limit()) : batch);
        if (room <= 0) {
            LockSupport.parkNanos(this, ROOM_PAUSE);
            return;
        }
        int wanted = Math.min(batch, ready.size());
        int places = window.take(Math.min(wanted, room), MOMENT);
        if (places > 0) {
            send(places);
        }
    }

    /** A window in flight and a batch unwritten: no more than that is ever sent twice by a death. */
    private int room() {
        int most = parts.settings().maxWindow() + parts.settings().settleBatch();
        return most - window.inFlight() - unsettled.getAsInt();
    }

    private void awaitCompany() {
        int batch = parts.transport().batchLimit();
        for (long left = cadence.pause(System.nanoTime());
                left > 0
                        && ready.size() + intake.waiting() < batch
                        && !Thread.currentThread().isInterrupted();
                left = cadence.pause(System.nanoTime())) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Gives everything that waits back to the table. */
    void giveBackAll() {
        for (Ready next = take(); next != null; next = take()) {
            endings.accept(new Ending.GivenBack(next.held(), Duration.ZERO));
        }
        for (Held held = intake.nextNow(); held != null; held = intake.nextNow()) {
            endings.accept(new Ending.GivenBack(held, Duration.ZERO));
        }
    }

    boolean isIdle() {
        return ready.isEmpty() && intake.waiting() == 0;
    }

    /** Messages that are ready and wait for a place in the window. */
    int prepared() {
        return ready.size();
    }

    private void send(int places) {
        List<Message> messages = new ArrayList<>(places);
        List<Held> sending = new ArrayList<>(places);
        for (int i = 0; i < places; i++) {
            Ready next = take();
            if (next != null && mayGo(next)) {
                messages.add(next.message());
                sending.add(next.held());
            }
        }
        window.giveBack(places - sending.size());
        if (!sending.isEmpty()) {
            parts.checkpoints().reached(Checkpoints.Place.SENDING);
            dispatch(messages, sending);
            cadence.sent(messages.size(), System.nanoTime());
            parts.checkpoints().reached(Checkpoints.Place.SENT_OFF);
        }
    }

    /** Asked last of all: it may have been ready for a while. */
    private boolean mayGo(Ready next) {
        if (next.held().remaining(parts.ticker().getAsLong()) < safeRemainder) {
            // fenced: ignored where somebody else has it
            endings.accept(new Ending.GivenBack(next.held(), Duration.ZERO));
            return false;
        }
        if (breakers.isOpen(next.message().destination().topic())) {
            endings.accept(new Ending.GivenBack(next.held(), BACK_LATER));
            return false;
        }
        return true;
    }

    private void dispatch(List<Message> messages, List<Held> sending) {
        long now = parts.ticker().getAsLong();
        sending.forEach(held -> held.sent(now));
        BatchResults shipment = new BatchResults(messages, sending, this::answered);
        try {
            parts.transport().send(messages, shipment);
        } catch (RuntimeException e) {
            shipment.failAll(new SendResult.NotConfirmed(SendFailure.CONNECTION_LOST, String.valueOf(e)));
        }
    }

    /** While the window is full there is time: a broker that confirms hundreds at once then gets hundreds at once. */
    private void prepareUpTo(int many) {
        while (ready.size() < many && readyBytes.get() < MOST_BYTES) {
            Held held = intake.nextNow();
            if (held == null) {
                return;
            }
            prepare(held);
        }
    }

    /** Makes the message for a claimed, or refuses it for good. */
    private void prepare(Held held) {
        Event event = held.claimed().event();
        Destination destination = event.destination() == null ? parts.router().route(event) : event.destination();
        if (destination == null) {
            refuse(held, SendFailure.NO_DESTINATION, "no destination is configured for type " + event.type());
            return;
        }
        try {
            Message message = new Message(destination, event, Envelope.encode(event, parts.bodyFormat()));
            ready.add(new Ready(held, message));
            readyBytes.addAndGet(message.body().length);
        } catch (MalformedEventException e) {
            refuse(held, SendFailure.UNSERIALISABLE, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Ready take() {
        Ready next = ready.poll();
        if (next != null) {
            readyBytes.addAndGet(-next.message().body().length);
        }
        return next;
    }

    private void refuse(Held held, SendFailure failure, String detail) {
        endings.accept(new Ending.Answered(
                held,
                new SendResult.NotConfirmed(failure, detail),
                parts.ticker().getAsLong()));
    }

    private void answered(Held held, String topic, SendResult outcome) {
        long now = parts.ticker().getAsLong();
        endings.accept(new Ending.Answered(held, outcome, now)); // before its place is free: room() must miss none
        if (outcome instanceof SendResult.NotConfirmed not) {
            window.giveBack(1);
            if (slowsDown(not.failure())) {
                window.pushedBack(now);
            }
            breakers.failed(topic, not.failure(), not.detail(), now);
            if (breakers.brokerIsDown()) {
                window.restart(); // now, so that the figure tells of the outage while it lasts
            }
        } else {
            window.confirmed(now - held.sentAt(), now);
            breakers.confirmed(topic);
        }
        parts.checkpoints().reached(Checkpoints.Place.ANSWERED);
    }

    private static boolean slowsDown(SendFailure failure) {
        return switch (failure) {
            case NACKED, THROTTLED, TIMED_OUT, NOT_STORED, CONNECTION_LOST, BLOCKED -> true;
            case NO_DESTINATION, UNSERIALISABLE, ILLEGAL_MESSAGE, TOO_LARGE, UNROUTABLE, TOPIC_UNAVAILABLE -> false;
        };
    }
}
