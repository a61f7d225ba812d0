package dev.waybill.jdbc;

import java.util.regex.Pattern;

/** Checks the names and words that statements are built of, because they cannot be parameters. */
final class SqlNames {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]{1,32}");

    private SqlNames() {}

    /** A table, with or without its schema. */
    static String table(String table) {
        int dot = table.indexOf('.');
        if (dot >= 0) {
            name("schema", table.substring(0, dot));
        }
        name("table", table.substring(dot + 1));
        return table;
    }

    static String name(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + ": a name is letters, digits and underscores, at most 63, was '" + name + "'");
        }
        return name;
    }

    static String word(String what, String word) {
        if (!WORD.matcher(word).matches()) {
            throw new IllegalArgumentException(
                    what + ": 1 to 32 letters, digits, dashes and underscores, was '" + word + "'");
        }
        return word;
    }

    /** {@code EVENT_ID} as {@code eventId}: the name under which the statements' texts know a column. */
    static String placeholder(String column) {
        StringBuilder camel = new StringBuilder();
        for (String word : column.split("_", -1)) {
            camel.append(
                    camel.isEmpty()
                            ? word.toLowerCase(java.util.Locale.ROOT)
                            : word.charAt(0) + word.substring(1).toLowerCase(java.util.Locale.ROOT));
        }
        return camel.toString();
    }
}
