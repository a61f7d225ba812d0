package dev.waybill.jdbc;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns a statement's readable text into one for a given table. {@code {word}} is replaced; a part in {@code [brackets]}
 * is left out when the table lacks one of its words; {@code :name} stays for {@link SqlCall}.
 */
final class SqlText {

    private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\[\\]]*)]");
    private static final Pattern WORD = Pattern.compile("\\{([A-Za-z]+)}");

    private SqlText() {}

    static String fill(String template, Map<String, String> words) {
        String chosen = OPTIONAL.matcher(template)
                .replaceAll(part -> Matcher.quoteReplacement(complete(part.group(1), words) ? part.group(1) : ""));
        String filled = chosen;
        for (int depth = 0; depth < 3 && filled.indexOf('{') >= 0; depth++) { // words may be made of words
            filled = WORD.matcher(filled).replaceAll(word -> Matcher.quoteReplacement(word(word.group(1), words)));
        }
        return filled;
    }

    private static boolean complete(String part, Map<String, String> words) {
        return WORD.matcher(part).results().allMatch(word -> words.containsKey(word.group(1)));
    }

    private static String word(String name, Map<String, String> words) {
        String word = words.get(name);
        if (word == null) {
            throw new IllegalStateException("no word for {" + name + "}");
        }
        return word;
    }
}
