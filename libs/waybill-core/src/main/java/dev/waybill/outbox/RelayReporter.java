package dev.waybill.outbox;

import dev.waybill.message.Event;
import dev.waybill.message.TraceId;
import dev.waybill.store.Settlement;
import dev.waybill.transport.SendFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Tells what the relay did: counts it, logs it, and passes it to the listener, whose mistakes stay its own. */
final class RelayReporter implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.outbox.OutboxRelay");

    private final RelayListener listener;
    final AtomicLong sent = new AtomicLong();
    final AtomicLong retried = new AtomicLong();
    final AtomicLong dead = new AtomicLong();
    final AtomicLong released = new AtomicLong();
    final AtomicLong leasesLost = new AtomicLong();

    RelayReporter(RelayListener listener) {
        this.listener = listener;
    }

    void settled(Ending ending, Settlement settlement) {
        Event event = settlement.claimed().event();
        int attempts = settlement.claimed().attempts() + 1;
        if (settlement instanceof Settlement.Sent) {
            sent(event, Duration.ofNanos(((Ending.Answered) ending).at() - ending.held().takenAt));
        } else if (settlement instanceof Settlement.Retry retry) {
            retried(event, attempts, retry.delay(), retry.error());
        } else if (settlement instanceof Settlement.Dead dead) {
            dead(event, attempts, dead.error());
        } else {
            released.incrementAndGet();
        }
    }

    void leasesLost(int claimedEvents) {
        leasesLost.addAndGet(claimedEvents);
        log.warn("[OutboxRelay] Lease lost claimedEvents={}; others may have sent them too", claimedEvents);
        tell(() -> listener.leaseLost(claimedEvents));
    }

    @Override
    public void sent(Event event, Duration latency) {
        sent.incrementAndGet();
        if (log.isDebugEnabled()) {
            traced(
                    event,
                    () -> log.debug(
                            "[OutboxRelay] Event sent successfully {} latencyMs={}", keys(event), latency.toMillis()));
        }
        tell(() -> listener.sent(event, latency));
    }

    @Override
    public void retried(Event event, int attempts, Duration delay, String error) {
        retried.incrementAndGet();
        traced(
                event,
                () -> log.warn(
                        "[OutboxRelay] Event will be sent again {} attempts={} delayMs={} error={}",
                        keys(event),
                        attempts,
                        delay.toMillis(),
                        printable(error)));
        tell(() -> listener.retried(event, attempts, delay, error));
    }

    @Override
    public void dead(Event event, int attempts, String error) {
        dead.incrementAndGet();
        traced(
                event,
                () -> log.error(
                        "[OutboxRelay] [ALERT] Event marked as DEAD {} attempts={} error={}",
                        keys(event),
                        attempts,
                        printable(error)));
        tell(() -> listener.dead(event, attempts, error));
    }

    @Override
    public void destinationDown(String topic, SendFailure failure, String detail) {
        log.error(
                "[OutboxRelay] [ALERT] destination down topic={} failure={} error={}",
                name(topic),
                failure,
                printable(detail));
        tell(() -> listener.destinationDown(topic, failure, detail));
    }

    @Override
    public void destinationUp(String topic) {
        log.info("[OutboxRelay] destination up topic={}", name(topic));
        tell(() -> listener.destinationUp(topic));
    }

    @Override
    public void failed(Error error) {
        log.error("[OutboxRelay] [ALERT] relay ended by an error; leases return what it held", error);
        tell(() -> listener.failed(error));
    }

    private static String name(String topic) {
        return topic.equals(Breakers.BROKER) ? "*" : printable(topic);
    }

    private static String keys(Event event) {
        var destination = event.destination();
        return "eventId=" + printable(event.eventId()) + " traceId=" + printable(String.valueOf(event.traceId()))
                + " topic=" + (destination == null ? "-" : printable(destination.topic()))
                + " type=" + printable(event.type());
    }

    /** Rows may be written by anybody: what they say must not forge log lines. */
    private static String printable(String text) {
        boolean clean = text.chars().noneMatch(Character::isISOControl);
        return clean
                ? text
                : text.codePoints()
                        .map(c -> Character.isISOControl(c) ? '?' : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    private static void traced(Event event, Runnable line) {
        String traceId = event.traceId();
        if (!TraceId.isAcceptable(traceId)) {
            line.run();
            return;
        }
        String before = MDC.get(TraceId.KEY);
        MDC.put(TraceId.KEY, traceId);
        try {
            line.run();
        } finally {
            if (before == null) {
                MDC.remove(TraceId.KEY);
            } else {
                MDC.put(TraceId.KEY, before);
            }
        }
    }

    private static void tell(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException e) {
            log.warn("[OutboxRelay] A listener failed; the relay goes on", e);
        }
    }
}
