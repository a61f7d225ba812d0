package dev.waybill.outbox;

import dev.waybill.message.Event;
import dev.waybill.message.LogText;
import dev.waybill.message.TraceId;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import dev.waybill.store.UnreadableRow;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendTarget;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Tells what the relay did: counts it, logs it, and passes it to the listener, whose mistakes stay its own. */
final class RelayReporter implements RelayListener {

    private static final Logger log = LoggerFactory.getLogger("dev.waybill.outbox.OutboxRelay");

    private final RelayListener listener;
    private final Clock clock = Clock.systemUTC();
    final AtomicLong sent = new AtomicLong();
    final AtomicLong retried = new AtomicLong();
    final AtomicLong dead = new AtomicLong();
    final AtomicLong released = new AtomicLong();
    final AtomicLong leasesLost = new AtomicLong();
    private volatile String whyTheBrokerIsDown = "";

    RelayReporter(RelayListener listener) {
        this.listener = listener;
    }

    void settled(Settlement settlement, long now) {
        int attempts = settlement.row().attempts() + 1;
        if (settlement instanceof Settlement.Sent sent) {
            ClaimedEvent row = sent.row();
            sent(row.event(), Duration.ofNanos(row.latency()));
            confirmed(row.event(), age(row.event(), Duration.ofNanos(row.sinceAnswer(now))));
        } else if (settlement instanceof Settlement.Retry retry) {
            retried(retry.row().event(), attempts, retry.delay(), retry.error());
        } else if (settlement instanceof Settlement.Dead dead) {
            if (dead.row() instanceof ClaimedEvent claimed) {
                dead(claimed.event(), attempts, dead.error());
            } else if (dead.row() instanceof UnreadableRow row) {
                unreadable(row, dead.error());
            }
        } else {
            released.incrementAndGet();
        }
    }

    void leasesLost(int rows) {
        leasesLost.addAndGet(rows);
        log.warn("[OutboxRelay] Lease lost rows={}; others may have sent them too", rows);
        tell(() -> listener.leaseLost(rows));
    }

    /** Not an error of ours, but somebody's code went on after its transaction was gone. */
    void rolledBackUnseen(int rows) {
        log.warn(
                "[OutboxRelay] Not sent, because the table does not have them although their transactions committed rows={};"
                        + " was a deadlock's error swallowed, or a savepoint rolled back by SQL text?",
                rows);
    }

    void notChecked(int rows, RuntimeException cause) {
        log.warn(
                "[OutboxRelay] Handed-off rows could not be looked for and wait in the table rows={} error={}",
                rows,
                LogText.sentence(String.valueOf(cause.getMessage())));
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
    public void confirmed(Event event, Duration age) {
        tell(() -> listener.confirmed(event, age));
    }

    private Duration age(Event event, Duration sinceAnswer) {
        Duration age = Duration.between(event.occurredAt(), clock.instant().minus(sinceAnswer));
        return age.isNegative() ? Duration.ZERO : age;
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
                        LogText.sentence(error)));
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
                        LogText.sentence(error)));
        tell(() -> listener.dead(event, attempts, error));
    }

    @Override
    public void unreadable(UnreadableRow row, String error) {
        dead.incrementAndGet();
        log.error(
                "[OutboxRelay] [ALERT] Event marked as DEAD eventId={} traceId=null topic=- type={} attempts={} error={}",
                LogText.token(row.eventId()),
                UnreadableRow.TYPE,
                row.attempts() + 1,
                LogText.sentence(error));
        tell(() -> listener.unreadable(row, error));
    }

    /** What the last outage of the whole broker began with. */
    String whyTheBrokerIsDown() {
        return whyTheBrokerIsDown;
    }

    @Override
    public void destinationDown(SendTarget target, SendFailure failure, String detail) {
        if (target.equals(SendTarget.WHOLE_BROKER)) {
            whyTheBrokerIsDown = failure + ": " + detail;
        }
        log.error(
                "[OutboxRelay] [ALERT] destination down topic={} failure={} error={}",
                LogText.sentence(target.label()),
                failure,
                LogText.sentence(detail));
        tell(() -> listener.destinationDown(target, failure, detail));
    }

    @Override
    public void destinationUp(SendTarget target) {
        log.info("[OutboxRelay] destination up topic={}", LogText.sentence(target.label()));
        tell(() -> listener.destinationUp(target));
    }

    @Override
    public void failed(Error error) {
        log.error(
                "[OutboxRelay] [ALERT] relay ended by an error; leases return what it held, and it begins anew",
                LogText.thrown(error));
        tell(() -> listener.failed(error));
    }

    @Override
    public void restarted() {
        log.warn("[OutboxRelay] relay works again after an error");
        tell(listener::restarted);
    }

    void stoppedWith(int waiting, int inFlight, int unsettled) {
        log.warn(
                "[OutboxRelay] Stopped with work under way; leases return it waiting={} unanswered={} unsettled={}",
                waiting,
                inFlight,
                unsettled);
    }

    private static String keys(Event event) {
        var destination = event.destination();
        return "eventId=" + LogText.token(event.eventId()) + " traceId=" + LogText.token(event.traceId())
                + " topic=" + (destination == null ? "-" : LogText.token(destination.topic()))
                + " type=" + LogText.token(event.type());
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
            log.warn("[OutboxRelay] A listener failed; the relay goes on", LogText.thrown(e));
        }
    }
}
