package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;

/**
 * A table as its mapping and the database's metadata describe it together: column names as the database spells them, their
 * types, and how times are written.
 *
 * @param <C> what a column can mean
 * @param <M> the mapping
 */
abstract sealed class SqlTable<C extends Enum<C>, M extends SqlMapping<C, ?>> permits OutboxTable, InboxTable {

    private final Dialect dialect;
    private final M mapping;
    private final SqlTableMetadata shape;
    private final SqlTimes times;

    SqlTable(Dialect dialect, M mapping, SqlTableMetadata shape) {
        this.dialect = dialect;
        this.mapping = mapping;
        this.shape = shape;
        this.times = SqlTimes.of(dialect, mapping.wholeSeconds(), mapping.timeZone());
    }

    /**
     * Reads the metadata of the mapping's table.
     *
     * @param option of {@link DdlTool}, to name the fix
     * @param fix what else can be done about a missing column
     * @throws dev.waybill.store.StoreException MISCONFIGURED naming the table or column that is missing
     */
    static <C extends Enum<C>> SqlTableMetadata lookUp(
            Connection connection, SqlMapping<C, ?> mapping, String option, Function<C, String> fix)
            throws SQLException {
        SqlTableMetadata shape = SqlTableMetadata.required(
                connection,
                mapping.table(),
                "dev.waybill.jdbc.DdlTool --dialect " + Dialect.of(connection).key() + " " + option + " "
                        + mapping.layout() + " prints its DDL");
        mapping.columns().forEach((column, name) -> {
            if (shape.column(name) == null) {
                throw SqlErrors.misconfigured("table " + mapping.table() + " has no column " + name
                        + ", which the mapping " + mapping.layout() + " names for " + column + fix.apply(column));
            }
        });
        return shape;
    }

    final Dialect dialect() {
        return dialect;
    }

    final M mapping() {
        return mapping;
    }

    final SqlTableMetadata shape() {
        return shape;
    }

    final SqlTimes times() {
        return times;
    }

    /** The table's name in messages. */
    final String name() {
        return mapping.table();
    }

    final boolean has(C column) {
        return mapping.has(column);
    }

    final SqlTableMetadata.Column shapeOf(C column) {
        return Objects.requireNonNull(shape.column(Objects.requireNonNull(mapping.column(column))));
    }

    final String quoted(C column) {
        return dialect.quote(shapeOf(column).name());
    }

    /** The state's word as it stands in a statement. */
    final String literal(String word) {
        return shapeOf(mapping.status()).numeric() ? word : "'" + word + "'";
    }
}
