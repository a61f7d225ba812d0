package dev.waybill.guard.boot;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which field of a request breaks which rule: the {@code data} of a bad request. Nothing in it is the caller's text.
 *
 * @param field the field's path, such as {@code items[0].price}
 * @param rule what the field has to be
 */
record BrokenRule(String field, String rule) {

    /** Of several, the first by name is told, so that the same request always gets the same answer. */
    static final Comparator<BrokenRule> BY_NAME =
            Comparator.comparing(BrokenRule::field).thenComparing(BrokenRule::rule);

    /** Names of properties and indexes of lists, from the beginning of a path. */
    private static final Pattern OWN_NAMES = Pattern.compile("(\\.?[A-Za-z_$][\\w$-]*|\\[[0-9]+])*+");

    /** From a path as Spring writes it, which ends in front of a map's key: that is the caller's. */
    static BrokenRule at(String path, String rule) {
        Matcher own = OWN_NAMES.matcher(path);
        return new BrokenRule(own.lookingAt() ? own.group() : "", rule);
    }
}
