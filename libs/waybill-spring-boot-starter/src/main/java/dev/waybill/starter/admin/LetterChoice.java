package dev.waybill.starter.admin;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import dev.waybill.alert.ErrorGroup;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.job.Jobs;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.DeadLetterStore.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which OPEN letters a decision is about: those that are named, or all that a filter finds now. Nothing given is not everything: a filter
 * has to be there, though it may be empty.
 *
 * @param errorGroup of the filter's letters only those whose error is of this group
 * @param unknown fields that nobody knows: one that is misspelt would choose too much
 */
record LetterChoice(
        @Nullable List<Long> ids,
        @Nullable Among filter,
        @Nullable String errorGroup,
        @JsonAnySetter @Nullable Map<String, Object> unknown) {

    /** The filter of a list, without the state: decisions are about OPEN letters. */
    record Among(
            @Nullable String source,
            @Nullable String group,
            @Nullable String eventType,
            @Nullable String error,
            @Nullable Instant from,
            @Nullable Instant to,
            @JsonAnySetter @Nullable Map<String, Object> unknown) {

        Filter open() {
            return new Filter(source, group, eventType, error, from, to, State.OPEN);
        }
    }

    /** The subjects of a job, each once. Of letters that are named, the job itself finds out how they stand. */
    List<String> subjects(DeadLetters letters) {
        if (ids != null) {
            return named(ids, Jobs.MOST_SUBJECTS).map(String::valueOf).toList();
        }
        List<String> found = new ArrayList<>();
        each(letters, letter -> found.add(Long.toString(letter.id())));
        return found;
    }

    /** Calls for each OPEN letter that is chosen; they are too many to hold. */
    void each(DeadLetters letters, Consumer<LetterSummary> each) {
        if (ids != null) {
            named(ids, Page.MOST)
                    .flatMap(id -> letters.find(id).stream())
                    .filter(letter -> letter.state() == State.OPEN)
                    .map(LetterSummary::of)
                    .forEach(each);
            return;
        }
        int seen = LetterGroups.walk(letters, checked().open(), Jobs.MOST_SUBJECTS, letter -> {
            if (errorGroup == null || errorGroup.equals(ErrorGroup.of(letter.error()))) {
                each.accept(letter);
            }
        });
        if (seen > Jobs.MOST_SUBJECTS) {
            throw AdminRefusal.badInput("filter", "finds more than " + Jobs.MOST_SUBJECTS + " letters: narrow it");
        }
    }

    private Stream<Long> named(List<Long> ids, int most) {
        check();
        if (ids.size() > most || ids.stream().anyMatch(id -> id == null || id < 1)) {
            throw AdminRefusal.badInput("ids", "are at most " + most + " whole numbers from 1");
        }
        return ids.stream().distinct();
    }

    private Among checked() {
        check();
        if (filter == null) {
            throw AdminRefusal.badInput("choice", "names ids, or has a filter; an empty one finds all open letters");
        }
        return filter;
    }

    private void check() {
        boolean known = isEmpty(unknown) && (filter == null || isEmpty(filter.unknown()));
        if (!known || (ids != null && (filter != null || errorGroup != null))) {
            throw AdminRefusal.badInput("choice", "has ids, or a filter and perhaps an errorGroup, and nothing else");
        }
    }

    private static boolean isEmpty(@Nullable Map<String, Object> unknown) {
        return unknown == null || unknown.isEmpty();
    }
}
