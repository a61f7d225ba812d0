package dev.waybill.message;

import org.jspecify.annotations.Nullable;

/**
 * Text of others as a log line may show it: ids, keys, topics and errors of messages and rows come from anywhere. What could
 * begin a line, hide something or turn the reading order is written as {@code \\uXXXX}, and what is too long is cut with a note
 * of how much is missing. The result is never longer than a few times its limit, however long the text is.
 */
public final class LogText {

    private static final int TOKEN_LENGTH = 128;
    private static final int SENTENCE_LENGTH = 1_000;

    private LogText() {}

    /** An id, key, topic or type, for {@code name=value} in a line: blanks are escaped too, so that it forges no second value. */
    public static String token(@Nullable String text) {
        return escaped(text, TOKEN_LENGTH, true);
    }

    /** An error or another sentence. */
    public static String sentence(@Nullable String text) {
        return escaped(text, SENTENCE_LENGTH, false);
    }

    /** What was thrown, with the same places, causes and suppressed ones, but the texts of all of them as {@link #sentence}. */
    public static @Nullable Throwable thrown(@Nullable Throwable thrown) {
        return thrown == null ? null : LoggedThrowable.of(thrown);
    }

    private static String escaped(@Nullable String text, int limit, boolean blanksToo) {
        if (text == null) {
            return "null";
        }
        if (text.length() <= limit && isPlain(text)) {
            return text;
        }
        StringBuilder line = new StringBuilder(Math.min(text.length(), limit) + 16);
        int at = 0;
        while (at < text.length() && at < limit) {
            int character = text.codePointAt(at);
            if (character == '\\') {
                line.append("\\\\");
            } else if (isShown(character) && !(blanksToo && isBlank(character))) {
                line.appendCodePoint(character);
            } else {
                for (char unit : Character.toChars(character)) {
                    line.append(String.format("\\u%04x", (int) unit));
                }
            }
            at += Character.charCount(character);
        }
        return at < text.length()
                ? line.append("...(")
                        .append(text.length() - at)
                        .append(" more)")
                        .toString()
                : line.toString();
    }

    /** Most texts are; looking is cheaper than copying. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 127 || c == '\\') {
                return false;
            }
        }
        return true;
    }

    private static boolean isBlank(int character) {
        return Character.isWhitespace(character) || Character.isSpaceChar(character);
    }

    private static boolean isShown(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
