package dev.waybill.inbox;

import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Kept;
import dev.waybill.store.OutboxStore.Decision;
import dev.waybill.transport.DeadLetterQueue;
import dev.waybill.transport.Outcome;
import dev.waybill.transport.SendFailure.Scope;
import java.util.List;
import java.util.Map;

/** Sends letters back: marked first, then sent, then settled by the broker's answer. */
final class Replays {

    private final DeadLetterStore store;
    private final Map<DeadLetters.Address, DeadLetterQueue> queues;
    private final DeadLetterJournal journal;

    Replays(DeadLetterStore store, Map<DeadLetters.Address, DeadLetterQueue> queues, DeadLetterJournal journal) {
        this.store = store;
        this.queues = queues;
        this.journal = journal;
    }

    /** Each is marked just before it is sent, so that none waits half replayed for its turn. */
    void run(List<Long> ids, Decision decision, Pace pace, ReplayReport report) throws InterruptedException {
        for (Long id : ids) {
            if (report.brokerGone()) {
                report.refused(id, "the broker was gone before its turn");
                continue;
            }
            pace.await();
            store.beginReplay(List.of(id), decision).forEach(letter -> send(letter, report));
        }
    }

    void send(Kept kept, ReplayReport report) {
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
        Outcome outcome = queue.replay(kept.letter());
        if (outcome instanceof Outcome.NotConfirmed refused) {
            if (refused.failure().scope() == Scope.BROKER) {
                report.lostTheBroker();
            }
            fail(kept, refused.describe(), report);
            return;
        }
        store.replayed(kept.id());
        report.replayed(kept.id());
        journal.replayed(kept);
    }

    private void fail(Kept kept, String error, ReplayReport report) {
        store.replayFailed(kept.id(), error);
        report.refused(kept.id(), error);
        journal.replayFailed(kept, error);
    }
}
