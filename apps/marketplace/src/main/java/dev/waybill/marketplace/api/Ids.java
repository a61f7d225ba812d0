package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.util.regex.Pattern;

/** Reads ids from paths. A text that cannot be one is answered like an unknown id, before it reaches the database. */
final class Ids {

    private static final Pattern SHAPE = Pattern.compile("[1-9][0-9]{0,17}");

    private Ids() {}

    static long read(String text) {
        if (!SHAPE.matcher(text).matches()) {
            throw new RefusedException(Code.NOT_FOUND);
        }
        return Long.parseLong(text);
    }
}
