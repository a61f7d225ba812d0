package dev.waybill.jdbc.archive;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row with all its columns, as the database spells them.
 *
 * @param columns in the table's order: a {@link String}, bytes of a binary column, or null
 */
public record ArchivedRow(String table, Map<String, @Nullable Object> columns) {

    public ArchivedRow {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    }

    /** The columns that the other row lacks or in which it has something else. */
    public List<String> differences(ArchivedRow other) {
        return columns.entrySet().stream()
                .filter(column -> !same(column.getValue(), other.columns.get(column.getKey())))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        if (one instanceof byte[] bytes && other instanceof byte[] others) {
            return Arrays.equals(bytes, others);
        }
        return one == null ? other == null : one.equals(other);
    }
}
