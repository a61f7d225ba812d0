package dev.waybill.jdbc;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Turns a statement's template into the text for a given table. {@code {name}} is replaced by what the table has for this
 * placeholder; a part in {@code [brackets]} is left out when the table lacks one of its placeholders; {@code :name} is a
 * parameter and stays for {@link SqlCall}.
 */
final class SqlText {

    private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\[\\]]*)]");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z]+)}");

    private SqlText() {}

    static String fill(String template, Map<String, String> placeholders) {
        String chosen = OPTIONAL.matcher(template)
                .replaceAll(
                        part -> Matcher.quoteReplacement(complete(part.group(1), placeholders) ? part.group(1) : ""));
        String filled = chosen;
        for (int depth = 0; depth < 3 && filled.indexOf('{') >= 0; depth++) { // values may hold placeholders themselves
            filled = PLACEHOLDER
                    .matcher(filled)
                    .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), placeholders)));
        }
        return filled;
    }

    private static boolean complete(String part, Map<String, String> placeholders) {
        return PLACEHOLDER.matcher(part).results().allMatch(found -> placeholders.containsKey(found.group(1)));
    }

    private static String value(String name, Map<String, String> placeholders) {
        String value = placeholders.get(name);
        if (value == null) {
            throw new IllegalStateException("no value for {" + name + "}");
        }
        return value;
    }
}
