package dev.waybill.outbox;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import dev.waybill.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes endings into their rows, many with one statement. Fences are read when the statement is made, on the thread
 * that also renews them, so that a renewal can never make an answer miss its row.
 */
final class Settler {

    private static final Logger log = LoggerFactory.getLogger(Settler.class);
    private static final Duration MOMENT = Duration.ofMillis(50);

    /** So many are worth a statement when the sender seems to have come to the end of what there was. */
    private static final int FEW = 32;

    private static final Duration LULL = Duration.ofMillis(15);

    private final RelayParts parts;
    private final HandoffQueue intake;
    private final LeaseRenewer leases;
    private final RelayReporter reporter;
    private final SettlementQueue endings = new SettlementQueue();
    private final List<Ending> batch = new ArrayList<>();
    private final AtomicInteger unsettled = new AtomicInteger();

    Settler(RelayParts parts, HandoffQueue intake, LeaseRenewer leases, RelayReporter reporter) {
        this.parts = parts;
        this.intake = intake;
        this.leases = leases;
        this.reporter = reporter;
    }

    void add(Ending ending) {
        unsettled.incrementAndGet();
        endings.add(ending);
    }

    void step() throws InterruptedException {
        leases.renewDue();
        gather();
        settle();
    }

    /** Writes everything that has ended by now. */
    void flush() {
        endings.takeInto(batch, Integer.MAX_VALUE);
        settle();
    }

    /** What has ended and is not written yet; sent twice, if this process dies now. */
    int unsettled() {
        return unsettled.get();
    }

    private void gather() throws InterruptedException {
        int most = parts.settings().settleBatch();
        if (batch.isEmpty()) {
            endings.await(1, MOMENT.toNanos());
            if (endings.size() == 0) {
                return;
            }
            // not the largest batch: while that is written, what the next one holds keeps the sender waiting
            endings.await(Math.max(1, most / 4), parts.settings().settleLinger().toNanos(), FEW, LULL.toNanos());
        }
        endings.takeInto(batch, most - batch.size());
    }

    private void written() {
        unsettled.addAndGet(-batch.size());
        batch.clear();
    }

    private void settle() {
        if (batch.isEmpty()) {
            return;
        }
        List<Settlement> settlements = batch.stream().map(this::settlement).toList();
        parts.checkpoints().reached(Checkpoints.Place.SETTLING);
        int written;
        try {
            written = parts.store().settle(settlements);
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.UNAVAILABLE || e.reason() == StoreException.Reason.CONFLICT) {
                throw e; // tried again after a pause; the fences tell whether the rows are still ours by then
            }
            settleOneByOne(settlements);
            return;
        }
        if (written < settlements.size()) {
            reporter.leasesLost(settlements.size() - written);
        }
        for (int i = 0; i < settlements.size(); i++) {
            done(batch.get(i), settlements.get(i));
        }
        written();
        parts.checkpoints().reached(Checkpoints.Place.SETTLED);
    }

    /** One row that the database does not take must not keep hundreds from being settled. */
    private void settleOneByOne(List<Settlement> settlements) {
        for (int i = 0; i < settlements.size(); i++) {
            try {
                if (parts.store().settle(List.of(settlements.get(i))) == 0) {
                    reporter.leasesLost(1);
                }
                done(batch.get(i), settlements.get(i));
            } catch (StoreException e) {
                log.error(
                        "[OutboxRelay] Settle failed, the row comes back after its lease eventId={}",
                        settlements.get(i).claimed().event().eventId(),
                        e);
                intake.gone(batch.get(i).held());
            }
        }
        written();
    }

    private void done(Ending ending, Settlement settlement) {
        intake.gone(ending.held());
        reporter.settled(ending, settlement);
    }

    private Settlement settlement(Ending ending) {
        var claimed = ending.held().claimed();
        if (ending instanceof Ending.GivenBack back) {
            return new Settlement.Released(claimed, back.delay());
        }
        SendResult outcome = ((Ending.Answered) ending).outcome();
        if (outcome instanceof SendResult.Confirmed confirmed) {
            return new Settlement.Sent(claimed, confirmed.brokerId());
        }
        SendResult.NotConfirmed not = (SendResult.NotConfirmed) outcome;
        Optional<Duration> delay = not.failure().permanent()
                ? Optional.empty()
                : parts.retries().of(claimed.event().type()).delayAfter(claimed.attempts() + 1);
        return delay.<Settlement>map(wait -> new Settlement.Retry(claimed, wait, not.describe()))
                .orElseGet(() -> new Settlement.Dead(claimed, not.describe()));
    }
}
