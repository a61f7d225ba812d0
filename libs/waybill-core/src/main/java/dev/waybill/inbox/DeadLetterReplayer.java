package dev.waybill.inbox;

import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.SendFailure.Scope;
import dev.waybill.transport.SendResult;
import java.util.List;
import java.util.Map;

/** Sends letters back: marked first, then sent, then settled by the broker's answer. */
final class DeadLetterReplayer {

    private final DeadLetterStore store;
    private final Map<DeadLetters.Address, DeadLetterQueue> queues;
    private final DeadLetterReporter reporter;

    DeadLetterReplayer(
            DeadLetterStore store, Map<DeadLetters.Address, DeadLetterQueue> queues, DeadLetterReporter reporter) {
        this.store = store;
        this.queues = queues;
        this.reporter = reporter;
    }

    /** Each is marked just before it is sent, so that none waits half replayed for its turn. */
    void run(List<Long> ids, OperatorDecision decision, ReplayThrottle pace, ReplayReport report)
            throws InterruptedException {
        for (Long id : ids) {
            if (report.brokerGone()) {
                report.refused(id, "the broker was gone before its turn");
                continue;
            }
            pace.await();
            store.beginReplay(List.of(id), decision).forEach(letter -> send(letter, report));
        }
    }

    void send(StoredLetter kept, ReplayReport report) {
        DeadLetters.Address address =
                new DeadLetters.Address(kept.letter().source(), kept.letter().group());
        DeadLetterQueue queue = queues.get(address);
        if (queue == null) {
            fail(
                    kept,
                    "no subscription of this service receives " + address.source() + " as " + address.group(),
                    report);
            return;
        }
        SendResult outcome = queue.replay(kept.letter());
        if (outcome instanceof SendResult.NotConfirmed refused) {
            if (refused.failure().scope() == Scope.BROKER) {
                report.lostTheBroker();
            }
            fail(kept, refused.describe(), report);
            return;
        }
        store.replayed(kept.id());
        report.replayed(kept.id());
        reporter.replayed(kept);
    }

    private void fail(StoredLetter kept, String error, ReplayReport report) {
        store.replayFailed(kept.id(), error);
        report.refused(kept.id(), error);
        reporter.replayFailed(kept, error);
    }
}
