package dev.waybill.alert;

import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Counts the dead letters that nobody has settled, and names the groups of their errors. A look costs one letter. */
public final class DeadLetterProbe implements AlertProbe {

    private static final Filter OPEN = Filter.any().withState(State.OPEN);

    /** Letters carry their bodies, so only the first ones are read. */
    private static final int MOST_READ = 20;

    private final DeadLetterStore letters;
    private final RememberedReadings open = new RememberedReadings(System::nanoTime);

    public DeadLetterProbe(DeadLetterStore letters) {
        this.letters = letters;
    }

    private record Group(String type, String topic, String error) {}

    @Override
    public Set<String> measures() {
        return Set.of(Measures.OPEN_LETTERS);
    }

    @Override
    public List<Reading> read() {
        return open.of(letters.list(OPEN, 1, 0).size(), this::groups);
    }

    private List<Reading> groups() {
        List<StoredLetter> some = letters.list(OPEN, MOST_READ, 0);
        Map<Group, Integer> groups = new LinkedHashMap<>();
        some.forEach(letter -> groups.merge(group(letter), 1, Integer::sum));
        List<Reading> readings = new ArrayList<>();
        groups.forEach((group, count) -> readings.add(new Reading(
                Measures.OPEN_LETTERS,
                group.type(),
                group.topic(),
                count,
                "type=" + group.type() + " error=" + group.error())));
        if (some.size() == MOST_READ) {
            readings.add(Reading.of(Measures.OPEN_LETTERS, (double) Math.max(0, letters.count(OPEN) - some.size())));
        }
        return readings;
    }

    private static Group group(StoredLetter letter) {
        return new Group(
                Objects.requireNonNullElse(letter.eventType(), "unknown"),
                letter.letter().source(),
                ErrorGroup.of(letter.letter().error()));
    }
}
