package dev.waybill.starter.admin;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Some of many, in an order that stays.
 *
 * @param next what the next page's {@code after} is; null when this page is the last
 */
record Page<T>(List<T> items, @Nullable String next) {

    static final int MOST = 200;

    /** @throws AdminRefusal unless so many may be asked for */
    static int limit(int asked) {
        if (asked < 1 || asked > MOST) {
            throw AdminRefusal.badInput("limit", "is 1 to " + MOST);
        }
        return asked;
    }

    /** Of what was read with one more than the limit, to know whether there is a next page. */
    static <T> Page<T> of(List<T> read, int limit, Function<T, Object> key) {
        if (read.size() <= limit) {
            return new Page<>(List.copyOf(read), null);
        }
        List<T> items = List.copyOf(read.subList(0, limit));
        return new Page<>(items, String.valueOf(key.apply(items.get(limit - 1))));
    }

    <U> Page<U> map(Function<T, U> shown) {
        return new Page<>(items.stream().map(shown).toList(), next);
    }
}
