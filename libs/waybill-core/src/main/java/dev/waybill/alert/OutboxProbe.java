package dev.waybill.alert;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.OutboxStore.Backlog;
import dev.waybill.store.OutboxStore.DeadEvent;
import dev.waybill.store.UnreadableRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the outbox table: the same figures on every replica. Costs what {@link OutboxStore#backlog} costs. */
public final class OutboxProbe implements AlertProbe {

    /** A relay that keeps up leaves no row due for so long, whatever the load. */
    private static final Duration OVERDUE = Duration.ofSeconds(10);

    /** So many dead rows are read for the groups of their errors; the rest is only counted. */
    private static final int MOST_DEAD = 200;

    private final OutboxStore store;
    private final RememberedReadings dead = new RememberedReadings(System::nanoTime);

    public OutboxProbe(OutboxStore store) {
        this.store = store;
    }

    private record Group(String type, @Nullable String topic, String error) {}

    @Override
    public Set<String> measures() {
        return Set.of(Measures.OVERDUE, Measures.RETRYING, Measures.OLDEST_DUE, Measures.DEAD);
    }

    @Override
    public List<Reading> read() {
        Backlog backlog = store.backlog();
        boolean overdue = backlog.oldestDue().compareTo(OVERDUE) > 0;
        List<Reading> readings = new ArrayList<>();
        readings.add(Reading.of(Measures.OVERDUE, overdue ? (double) backlog.fresh() : 0));
        readings.add(Reading.of(Measures.RETRYING, (double) backlog.retrying()));
        readings.add(Reading.of(Measures.OLDEST_DUE, backlog.oldestDue().toMillis() / 1000.0));
        readings.addAll(dead.of(backlog.dead(), () -> dead(backlog.dead())));
        return readings;
    }

    private List<Reading> dead(long total) {
        List<DeadEvent> some = store.dead(MOST_DEAD);
        Map<Group, Integer> groups = new LinkedHashMap<>();
        some.forEach(dead -> groups.merge(group(dead), 1, Integer::sum));
        List<Reading> readings = new ArrayList<>();
        groups.forEach((group, count) -> readings.add(new Reading(
                Measures.DEAD,
                group.type(),
                group.topic(),
                count,
                "type=" + group.type() + " count=" + count + " error=" + group.error())));
        if (total > some.size()) {
            readings.add(Reading.of(Measures.DEAD, (double) (total - some.size())));
        }
        return readings;
    }

    private static Group group(DeadEvent dead) {
        Event event = dead.event();
        Destination destination = event == null ? null : event.destination();
        return new Group(
                event == null ? UnreadableRow.TYPE : event.type(),
                destination == null ? null : destination.topic(),
                ErrorGroup.of(dead.error()));
    }
}
