package dev.waybill.inbox;

import dev.waybill.lifecycle.RateThrottle;
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

    static final String NOT_OPEN = "it is not open";

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
    void run(List<Long> ids, OperatorDecision decision, RateThrottle pace, ReplayReport report)
            throws InterruptedException {
        for (Long id : ids) {
            if (report.brokerGone()) {
                report.refused(id, "the broker was gone before its turn");
                continue;
            }
            pace.await();
            List<StoredLetter> marked = store.beginReplay(List.of(id), decision);
            if (marked.isEmpty()) {
                report.refused(id, NOT_OPEN);
            }
            marked.forEach(letter -> send(letter, report));
        }
    }

    void send(StoredLetter stored, ReplayReport report) {
        DeadLetters.Address address = new DeadLetters.Address(
                stored.letter().source(), stored.letter().group());
        DeadLetterQueue queue = queues.get(address);
        if (queue == null) {
            fail(
                    stored,
                    "no subscription of this service receives " + address.source() + " as " + address.group(),
                    report);
            return;
        }
        SendResult result = queue.replay(stored.letter());
        if (result instanceof SendResult.NotConfirmed refused) {
            if (refused.failure().scope() == Scope.BROKER) {
                report.lostTheBroker();
                store.putBack(stored.id()); // the letter's own error is what a person looks for
                refused(stored, refused.describe(), report);
            } else {
                fail(stored, refused.describe(), report);
            }
            return;
        }
        store.replayed(stored.id());
        report.replayed(stored.id());
        reporter.replayed(stored);
    }

    private void fail(StoredLetter stored, String error, ReplayReport report) {
        store.replayFailed(stored.id(), error);
        refused(stored, error, report);
    }

    private void refused(StoredLetter stored, String error, ReplayReport report) {
        report.refused(stored.id(), error);
        reporter.replayFailed(stored, error);
    }
}
