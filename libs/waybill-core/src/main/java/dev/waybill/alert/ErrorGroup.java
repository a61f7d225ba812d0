package dev.waybill.alert;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Errors that differ only in numbers and ids are one group. */
public final class ErrorGroup {

    private static final Pattern VARYING =
            Pattern.compile("\\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\\b|\\b[0-9a-fA-F]{16,}\\b|[0-9]+");
    private static final int LONGEST = 120;

    private ErrorGroup() {}

    /** The group's name: the error's first line without what varies. */
    public static String of(@Nullable String error) {
        if (error == null || error.isBlank()) {
            return "unknown";
        }
        String first = error.strip().lines().findFirst().orElse("");
        String name = VARYING.matcher(first).replaceAll("#");
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST);
    }
}
