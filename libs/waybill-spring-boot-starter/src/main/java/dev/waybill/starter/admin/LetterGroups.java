package dev.waybill.starter.admin;

import dev.waybill.alert.ErrorGroup;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Letters by their errors: those whose errors differ in numbers and ids only are one group. Letters are read without their bodies. */
final class LetterGroups {

    /** So many letters are looked at; where there are more, the answer says so. */
    static final int MOST = 20_000;

    private static final int AT_ONCE = 1_000;

    private LetterGroups() {}

    /** One group, largest first. */
    record LetterGroup(
            String source,
            String group,
            @Nullable String eventType,
            String errorGroup,
            long letters,
            Instant first,
            Instant last) {

        private LetterGroup with(LetterSummary letter) {
            return new LetterGroup(
                    source,
                    group,
                    eventType,
                    errorGroup,
                    letters + 1,
                    earlier(first, letter.deadAt()),
                    letter.deadAt().isAfter(last) ? letter.deadAt() : last);
        }

        private static Instant earlier(Instant one, Instant other) {
            return one.isBefore(other) ? one : other;
        }
    }

    /**
     * What was found.
     *
     * @param lookedAt how many letters
     * @param complete whether those were all
     */
    record Found(List<LetterGroup> groups, long lookedAt, boolean complete) {}

    private record Key(
            String source, String group, @Nullable String eventType, String errorGroup) {}

    static Found of(DeadLetters letters, Filter filter) {
        Map<Key, LetterGroup> groups = new LinkedHashMap<>();
        int lookedAt = walk(
                letters,
                filter,
                MOST,
                letter -> groups.merge(key(letter), first(letter), (group, one) -> group.with(letter)));
        List<LetterGroup> largestFirst = new ArrayList<>(groups.values());
        largestFirst.sort(Comparator.comparingLong(LetterGroup::letters).reversed());
        return new Found(largestFirst, Math.min(lookedAt, MOST), lookedAt <= MOST);
    }

    /** Calls for each letter, at most so many; returns how many there were, one more than the most when there are more. */
    static int walk(DeadLetters letters, Filter filter, int most, Consumer<LetterSummary> each) {
        int seen = 0;
        long after = 0;
        while (true) {
            List<LetterSummary> page = letters.summaries(filter, AT_ONCE, after);
            for (LetterSummary letter : page) {
                if (++seen > most) {
                    return seen;
                }
                each.accept(letter);
                after = letter.id();
            }
            if (page.size() < AT_ONCE) {
                return seen;
            }
        }
    }

    private static Key key(LetterSummary letter) {
        return new Key(letter.source(), letter.group(), letter.eventType(), ErrorGroup.of(letter.error()));
    }

    private static LetterGroup first(LetterSummary letter) {
        return new LetterGroup(
                letter.source(),
                letter.group(),
                letter.eventType(),
                ErrorGroup.of(letter.error()),
                1,
                letter.deadAt(),
                letter.deadAt());
    }
}
