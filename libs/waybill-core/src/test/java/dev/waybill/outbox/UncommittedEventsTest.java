package dev.waybill.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Lease;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a transaction has appended: handed off with its commit, and nothing of what was undone. */
class UncommittedEventsTest {

    private final RecordedHandoff handoff = new RecordedHandoff();
    private final UncommittedEvents uncommitted = new UncommittedEvents(handoff, Checkpoints.NONE);

    @Test
    void aCommitHandsOffEverythingInItsOrderWithTheTimeOfTheOldest() {
        uncommitted.appended(claimed("a", "b"), 17);
        uncommitted.appended(claimed("c"), 99);

        uncommitted.committed();

        assertThat(handoff.calls).containsExactly("accept [a, b, c] 17");
    }

    @Test
    void aRollbackGivesTheRoomBack() {
        uncommitted.appended(claimed("a", "b"), 17);

        uncommitted.notCommitted();
        uncommitted.committed(); // never follows; if it did, there would be nothing left

        assertThat(handoff.calls).containsExactly("cancel 2");
    }

    @Test
    void aRolledBackSavepointTakesOutWhatCameAfterIt() {
        Object first = new Object();
        Object second = new Object();
        uncommitted.appended(claimed("a"), 1);
        uncommitted.savepoint(first);
        uncommitted.appended(claimed("b"), 2);
        uncommitted.savepoint(second);
        uncommitted.appended(claimed("c"), 3);

        uncommitted.rolledBackTo(second);
        uncommitted.appended(claimed("d"), 4);
        uncommitted.rolledBackTo(first);
        uncommitted.committed();

        assertThat(handoff.calls).containsExactly("cancel 1", "cancel 2", "accept [a] 1");
    }

    @Test
    void aSavepointFromBeforeTheFirstEventUndoesThemAll() {
        uncommitted.appended(claimed("a", "b"), 1);

        uncommitted.rolledBackTo(new Object());
        uncommitted.committed();

        assertThat(handoff.calls).containsExactly("cancel 2");
    }

    @Test
    void whatIsDueWakesTheClaimerWithTheCommitAndNotBefore() {
        uncommitted.due();
        assertThat(handoff.calls).isEmpty();

        uncommitted.committed();

        assertThat(handoff.calls).containsExactly("wake");
    }

    private static List<ClaimedEvent> claimed(String... ids) {
        List<ClaimedEvent> claimed = new ArrayList<>();
        for (String id : ids) {
            claimed.add(new ClaimedEvent(
                    id, RelayParts.event("A", 0).toBuilder().eventId(id).build(), 0, "fence"));
        }
        return claimed;
    }

    private static final class RecordedHandoff implements Handoff {

        private final List<String> calls = new ArrayList<>();

        @Override
        public @Nullable Lease reserve(List<Event> events) {
            return RelayParts.MINE;
        }

        @Override
        public void cancel(List<Event> events) {
            calls.add("cancel " + events.size());
        }

        @Override
        public void accept(List<ClaimedEvent> events, long appendedAt) {
            calls.add("accept " + events.stream().map(ClaimedEvent::eventId).toList() + " " + appendedAt);
        }

        @Override
        public void wake() {
            calls.add("wake");
        }

        @Override
        public long now() {
            return 0;
        }
    }
}
