package dev.waybill.memory;

import java.util.List;

/** A topic exchange's binding key: words between dots, {@code *} for one word, {@code #} for any number of them. */
record RoutingPattern(List<String> words) {

    static RoutingPattern of(String key) {
        return new RoutingPattern(wordsOf(key));
    }

    boolean matches(String routingKey) {
        return matches(words, wordsOf(routingKey));
    }

    private static boolean matches(List<String> pattern, List<String> key) {
        if (pattern.isEmpty()) {
            return key.isEmpty();
        }
        List<String> rest = pattern.subList(1, pattern.size());
        String word = pattern.get(0);
        if (word.equals("#")) {
            return matches(rest, key) || (!key.isEmpty() && matches(pattern, key.subList(1, key.size())));
        }
        return !key.isEmpty()
                && (word.equals("*") || word.equals(key.get(0)))
                && matches(rest, key.subList(1, key.size()));
    }

    private static List<String> wordsOf(String key) {
        return List.of(key.split("\\.", -1));
    }
}
