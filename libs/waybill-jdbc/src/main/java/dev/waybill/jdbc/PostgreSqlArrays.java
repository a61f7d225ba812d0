package dev.waybill.jdbc;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists as array parameters of PostgreSQL, so that one statement text serves every length. */
final class PostgreSqlArrays {

    private static final Set<String> TEXTS = Set.of("varchar", "text", "bpchar", "name");

    private PostgreSqlArrays() {}

    static boolean takesText(SqlTableMetadata.Column column) {
        return TEXTS.contains(column.typeName().toLowerCase(Locale.ROOT));
    }

    /** The type's name for an array cast; an auto-increment column calls itself a serial. */
    static String type(SqlTableMetadata.Column column) {
        return switch (column.typeName().toLowerCase(Locale.ROOT)) {
            case "bigserial", "int8" -> "bigint";
            case "serial", "int4" -> "integer";
            case "smallserial", "int2" -> "smallint";
            case "varchar", "text", "name" -> "text";
            case "bpchar" -> "bpchar"; // as a text it would be compared with its blanks, and without its index
            default -> column.typeName();
        };
    }

    /**
     * A parameter as an array whose length the planner cannot see. It assumes a short one and looks each key up in its index;
     * for a long one it might read the whole table instead.
     */
    static String unseen(String parameter, String type) {
        return "CAST((SELECT CAST(" + parameter + " AS " + type + "[])) AS " + type + "[])";
    }

    static SqlCall.ArrayValue keys(SqlTableMetadata.Column key, List<Object> values) {
        return new SqlCall.ArrayValue(key.numeric() ? "bigint" : "text", values.toArray());
    }

    static SqlCall.ArrayValue texts(List<? extends @Nullable Object> values) {
        return new SqlCall.ArrayValue("text", values.toArray());
    }

    static SqlCall.ArrayValue numbers(List<Long> values) {
        return new SqlCall.ArrayValue("bigint", values.toArray());
    }
}
