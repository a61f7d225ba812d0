package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.OutboxStore.DeadEvent;
import dev.waybill.store.OutboxStore.DeadSummary;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Backlog and DEAD rows: they are counted and listed, and operators decide about them. */
interface OutboxDeadRowRules extends OutboxRules {

    @Test
    default void theBacklogCountsByState() {
        append(MINE, events(1));
        append(null, List.of(event(11), event(12), event(13), event(14)));
        List<ClaimedEvent> claimed = claim(4);
        store().settle(List.of(
                new Settlement.Sent(claimed.get(0), null),
                new Settlement.Retry(claimed.get(1), Duration.ofMinutes(1), "r"),
                new Settlement.Dead(claimed.get(2), "d")));

        var backlog = store().backlog();

        assertThat(backlog.fresh()).as("handed off, and claimed right now").isEqualTo(2);
        assertThat(backlog.retrying()).isEqualTo(1);
        assertThat(backlog.sent()).isEqualTo(1);
        assertThat(backlog.dead()).isEqualTo(1);
        assertThat(backlog.waiting()).isEqualTo(3);
        assertThat(backlog.oldestDue()).isEqualTo(Duration.ZERO);
        fixture().makeDue();
        assertThat(store().backlog().oldestDue()).isGreaterThan(Duration.ofMinutes(30));
    }

    @Test
    default void anEmptyTableHasNoBacklog() {
        var backlog = store().backlog();
        assertThat(backlog.waiting() + backlog.sent() + backlog.dead()).isZero();
        assertThat(backlog.oldestDue()).isEqualTo(Duration.ZERO);
        assertThat(store().dead(10)).isEmpty();
    }

    @Test
    default void deadRowsAreListedOldestFirstWithTheirErrors() {
        List<ClaimedEvent> dead = deadRows(3);

        assertThat(store().dead(2)).hasSize(2);
        assertThat(store().dead(10)).extracting(DeadEvent::eventId).isEqualTo(ids(dead));
        assertThat(store().dead(10)).allSatisfy(each -> {
            assertThat(each.attempts()).isEqualTo(1);
            assertThat(each.error()).startsWith("died of ");
        });
    }

    @Test
    default void deadRowsAreWalkedThroughWithoutTheirPayloads() {
        List<ClaimedEvent> dead = deadRows(3);
        append(null, List.of(event(11)));

        List<DeadSummary> walked = new ArrayList<>(store().deadSummaries(2, null));
        assertThat(walked).hasSize(2);
        walked.addAll(store().deadSummaries(2, walked.get(1).rowKey()));

        assertThat(walked).extracting(DeadSummary::eventId).containsExactlyInAnyOrderElementsOf(ids(dead));
        assertThat(store().deadSummaries(2, walked.get(2).rowKey())).isEmpty();
        assertThat(walked).allSatisfy(each -> {
            assertThat(each.error()).startsWith("died of ");
            assertThat(each.type()).isNotBlank();
        });
    }

    @Test
    default void aRequeuedRowStartsAfresh() {
        List<ClaimedEvent> dead = deadRows(2);
        String id = dead.get(0).event().eventId();

        assertThat(store().requeue(List.of(id, "nobody"), new OperatorDecision("ann", "broker is back")))
                .isEqualTo(1);

        assertThat(fixture().audit()).containsExactly("REQUEUE ann broker is back " + id);
        assertThat(row(dead.get(0)).state()).isEqualTo(OutboxFixture.RowState.WAITING);
        ClaimedEvent claimed = claim(10).get(0);
        assertThat(claimed.event().eventId()).isEqualTo(id);
        assertThat(claimed.attempts()).isZero();
        assertThat(store().settle(List.of(new Settlement.Sent(claimed, null)))).isEqualTo(1);
        assertThat(store().dead(10)).hasSize(1);
    }

    @Test
    default void aDiscardedRowIsNoLongerListedAndIsAudited() {
        List<ClaimedEvent> dead = deadRows(2);
        String id = dead.get(1).event().eventId();

        assertThat(store().discard(List.of(id), new OperatorDecision("bob", "test data")))
                .isEqualTo(1);

        assertThat(fixture().audit()).containsExactly("DISCARD bob test data " + id);
        assertThat(store().dead(10)).hasSize(1);
        OutboxFixture.StoredRow row = fixture().row(dead.get(1));
        if (fixture().traits().discardKeepsRow()) {
            assertThat(row(dead.get(1)).state()).isEqualTo(OutboxFixture.RowState.DISCARDED);
        } else {
            assertThat(row).isNull();
        }
        fixture().makeDue();
        assertThat(claim(10)).isEmpty();
    }

    @Test
    default void anEditedRowIsSentWithItsNewPayloadAndTheOldOneIsAudited() {
        List<ClaimedEvent> dead = deadRows(2);
        String id = dead.get(0).event().eventId();
        OperatorDecision ann = new OperatorDecision("ann", "a slip");

        assertThat(store().edit(id, "{\"mended\":true}", ann)).isTrue();
        assertThat(store().edit("nobody", "{}", ann)).isFalse();
        assertThatThrownBy(() -> store().edit(id, "no JSON", ann)).isInstanceOf(StoreException.class);

        assertThat(fixture().audit()).containsExactly("EDIT ann a slip " + id);
        assertThat(store().dead(10)).hasSize(2);
        assertThat(store().requeue(List.of(id), ann)).isEqualTo(1);
        Event sent = claim(10).get(0).event();
        assertThat(JsonMeaning.of(sent.payload())).isEqualTo(JsonMeaning.of("{\"mended\":true}"));
        Event before = dead.get(0).event();
        assertThat(sent.toBuilder().payload(before.payload()).build()).isEqualTo(before);
        assertThat(store().edit(id, "{}", ann)).as("it is not DEAD any more").isFalse();
    }

    @Test
    default void onlyDeadRowsCanBeDecidedAbout() {
        ClaimedEvent waiting = append(null, events(1)).get(0);
        List<String> id = List.of(waiting.event().eventId());

        assertThat(store().requeue(id, new OperatorDecision("ann", "why not"))).isZero();
        assertThat(store().discard(id, new OperatorDecision("ann", "why not"))).isZero();
        assertThat(store().discard(List.of(), new OperatorDecision("ann", "why not")))
                .isZero();

        assertThat(fixture().audit()).isEmpty();
        assertThat(row(waiting).state()).isEqualTo(OutboxFixture.RowState.WAITING);
    }

    @Test
    default void verifyAcceptsASoundTable() {
        store().verify();
    }

    private List<ClaimedEvent> deadRows(int count) {
        appendDue(count);
        List<ClaimedEvent> claimed = claim(count);
        store().settle(claimed.stream()
                .<Settlement>map(row -> new Settlement.Dead(row, "died of " + row.rowKey()))
                .toList());
        return claimed;
    }
}
