package dev.waybill.starter.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.memory.MemoryOutboxStore;
import dev.waybill.memory.MemoryTransactions;
import dev.waybill.message.Event;
import dev.waybill.starter.admin.DeadEventController.EventChoice;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.Lease;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A choice of DEAD rows is all that it finds, or it is refused. */
class DeadEventsTest {

    private static final EventChoice ALL = new EventChoice(null, null, null, true, null);

    @Test
    void aChoiceThatFindsTooManyIsRefusedAndNotCut() {
        MemoryTransactions transactions = new MemoryTransactions();
        MemoryOutboxStore store = new MemoryOutboxStore(transactions);
        List<Event> events = Stream.of("A", "A", "B")
                .map(type -> Event.builder(type).build())
                .toList();
        transactions.inTransaction(() -> store.append(events, null));
        store.settle(ClaimedRow.events(store.claim(new Lease("relay", Duration.ofMinutes(1)), 10, Set.of())).stream()
                .<Settlement>map(claimed -> new Settlement.Dead(claimed, "no route"))
                .toList());

        assertThat(new DeadEvents(store, 3).subjects(ALL)).hasSize(3);
        DeadEvents two = new DeadEvents(store, 2);
        assertThatThrownBy(() -> two.subjects(ALL)).isInstanceOf(AdminRefusal.class);
        assertThat(two.subjects(new EventChoice(null, "B", null, null, null)))
                .containsExactly(events.get(2).eventId());
        assertThat(two.subjects(new EventChoice(null, "A", "no route", null, null)))
                .hasSize(2);
    }
}
