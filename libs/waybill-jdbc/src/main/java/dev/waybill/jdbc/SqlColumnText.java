package dev.waybill.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a text fit its column, because a settlement must not fail over an error text that is long or has odd characters. */
final class SqlColumnText {

    /** Error texts are cut at this length even where the column could hold more. */
    private static final int ENOUGH = 4_000;

    /** Types whose size is counted in bytes. */
    private static final Set<String> BYTES = Set.of("tinytext", "text", "mediumtext", "varbinary", "tinyblob", "blob");

    /** Types of MySQL and MariaDB whose size is counted in characters. */
    private static final Set<String> CHARACTERS = Set.of("char", "varchar");

    private SqlColumnText() {}

    /** How much a column of MySQL or MariaDB holds. */
    record Limit(int size, boolean bytes) {

        boolean holds(String text) {
            if (text.length() <= (bytes ? size / 3 : size)) {
                return true; // without counting: a char is three bytes at most
            }
            int used = bytes ? text.getBytes(StandardCharsets.UTF_8).length : text.codePointCount(0, text.length());
            return used <= size;
        }

        @Override
        public String toString() {
            return size + (bytes ? " bytes" : " characters");
        }
    }

    /** The column's limit; null where it holds whatever fits into a statement, or no text. */
    static @Nullable Limit limit(SqlTableMetadata.Column column) {
        String type = column.typeName().toLowerCase(Locale.ROOT);
        boolean bytes = BYTES.contains(type);
        return column.size() > 0 && (bytes || CHARACTERS.contains(type)) ? new Limit(column.size(), bytes) : null;
    }

    /** The text without characters that databases refuse, cut to the column's size at the end of a whole character. */
    static String fit(String text, SqlTableMetadata.Column column, Dialect dialect) {
        String clean = clean(text);
        int size = column.size() <= 0 ? ENOUGH : Math.min(ENOUGH, column.size());
        if (dialect == Dialect.H2) {
            return cutUnits(clean, size);
        }
        boolean bytes = BYTES.contains(column.typeName().toLowerCase(Locale.ROOT)) && column.size() < 4 * ENOUGH;
        return bytes ? cutBytes(clean, size) : cutCharacters(clean, size);
    }

    /** The text with everything beyond ASCII replaced, for a column whose character set is narrower than the error. */
    static String plain(String text) {
        return text.replaceAll("[^\\x20-\\x7E]", "?");
    }

    private static String cutCharacters(String text, int size) {
        return text.codePointCount(0, text.length()) <= size
                ? text
                : text.substring(0, text.offsetByCodePoints(0, size));
    }

    /** H2 counts as Java does: a character beyond the basic plane is two. */
    private static String cutUnits(String text, int size) {
        boolean splits = text.length() > size && Character.isHighSurrogate(text.charAt(size - 1));
        return text.length() <= size ? text : text.substring(0, splits ? size - 1 : size);
    }

    private static String cutBytes(String text, int size) {
        int used = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            used += new String(Character.toChars(point)).getBytes(StandardCharsets.UTF_8).length;
            if (used > size) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }

    /** NUL is refused by PostgreSQL, and half a surrogate pair by everybody. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            boolean lone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
            clean.appendCodePoint(point == 0 || lone ? '?' : point);
        });
        return clean.toString();
    }
}
