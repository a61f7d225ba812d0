package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares a hundred thousand texts in a moment. AssertJ compares each with each, which takes it a quarter of an hour. */
final class LongLists {

    private LongLists() {}

    /** The same texts in any order, each as often as it is expected. */
    static void assertSame(Collection<String> actual, Collection<String> expected) {
        assertContains(actual, expected);
        assertThat(without(actual, expected)).as("not expected, or too often").isEmpty();
    }

    /** Every expected text, at least as often as it is expected. */
    static void assertContains(Collection<String> actual, Collection<String> expected) {
        assertThat(without(expected, actual)).as("missing").isEmpty();
    }

    /** What is left of some when each of the others has taken one away. */
    private static List<String> without(Collection<String> some, Collection<String> others) {
        Map<String, Integer> taken = new HashMap<>();
        others.forEach(text -> taken.merge(text, 1, Integer::sum));
        List<String> left = new ArrayList<>();
        for (String text : some) {
            if (taken.merge(text, -1, Integer::sum) < 0) {
                left.add(text);
            }
        }
        return left;
    }
}
