package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchiveException;
import dev.waybill.jdbc.archive.ArchiveException.Reason;
import dev.waybill.jdbc.archive.ArchivedRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A table that takes archived rows back. A row is known by its primary key. */
final class ArchiveTable {

    private static final String SELECT = "SELECT {columns} FROM {table} WHERE (:rows)";
    private static final String INSERT = "INSERT INTO {table} ({columns}) VALUES ({values})";

    private final Dialect dialect;
    private final SqlTableMetadata shape;
    private final String name;
    private final String keyed;

    private ArchiveTable(Dialect dialect, SqlTableMetadata shape, String name) {
        this.dialect = dialect;
        this.shape = shape;
        this.name = name;
        this.keyed = shape.primaryKey().stream()
                .map(column -> dialect.quote(column) + " = " + parameter(column))
                .collect(Collectors.joining(" AND ", "(", ")"));
    }

    /**
     * Looks the table up.
     *
     * @throws dev.waybill.store.StoreException MISCONFIGURED when there is no such table, or it has no primary key
     */
    static ArchiveTable open(Connection connection, String name) throws SQLException {
        SqlTableMetadata shape = SqlTableMetadata.required(
                connection, name, "restore into another one, or create it with dev.waybill.jdbc.DdlTool");
        if (shape.primaryKey().isEmpty()) {
            throw SqlErrors.misconfigured("table " + name + " has no primary key, so rows that are there already"
                    + " cannot be told from those that are not; restore into a table that has one");
        }
        return new ArchiveTable(Dialect.of(connection), shape, name);
    }

    Dialect dialect() {
        return dialect;
    }

    /** What tells a row from others. */
    List<@Nullable Object> key(ArchivedRow row) {
        List<@Nullable Object> key = new ArrayList<>();
        shape.primaryKey().forEach(column -> key.add(value(row, column)));
        return key;
    }

    private @Nullable Object value(ArchivedRow row, String column) {
        return row.columns().entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(column))
                .findFirst()
                .orElseThrow(() -> new ArchiveException(
                        Reason.MISFIT, "an archived row of " + row.table() + " has no column " + column, null))
                .getValue();
    }

    /**
     * Inserts the rows that are not there, and reads them back.
     *
     * @param rows of one set of columns
     * @return how many were missing
     * @throws ArchiveException MISFIT when the table does not give back what it was given
     */
    int restore(Connection connection, Collection<ArchivedRow> rows) throws SQLException {
        Map<List<@Nullable Object>, ArchivedRow> missing = new LinkedHashMap<>();
        rows.forEach(row -> missing.put(key(row), row));
        List<String> columns = List.copyOf(rows.iterator().next().columns().keySet());
        find(connection, columns, missing.keySet()).keySet().forEach(missing::remove);
        if (missing.isEmpty()) {
            return 0;
        }
        insert(connection, columns, missing.values());
        Map<List<@Nullable Object>, ArchivedRow> written = find(connection, columns, missing.keySet());
        missing.forEach((key, row) -> {
            ArchivedRow back = written.get(key);
            List<String> differences = back == null ? columns : row.differences(back);
            if (!differences.isEmpty()) {
                throw new ArchiveException(
                        Reason.MISFIT,
                        "table " + name + " does not give back row " + key + " as it was, but with other "
                                + differences,
                        null);
            }
        });
        return missing.size();
    }

    private Map<List<@Nullable Object>, ArchivedRow> find(
            Connection connection, List<String> columns, Collection<List<@Nullable Object>> keys) throws SQLException {
        String either = keys.stream().map(key -> keyed).collect(Collectors.joining(" OR "));
        List<@Nullable Object> values = new ArrayList<>();
        keys.forEach(values::addAll);
        Map<List<@Nullable Object>, ArchivedRow> found = new LinkedHashMap<>();
        new SqlCall(sql(SELECT, columns))
                .part("rows", either, values)
                .query(connection, row -> SqlArchivedRow.read(name, row))
                .forEach(row -> found.put(key(row), row));
        return found;
    }

    private void insert(Connection connection, List<String> columns, Collection<ArchivedRow> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(INSERT, columns))) {
            for (ArchivedRow row : rows) {
                int at = 1;
                for (Object value : row.columns().values()) {
                    if (value instanceof byte[] bytes) {
                        statement.setBytes(at++, bytes);
                    } else {
                        statement.setString(at++, (String) value);
                    }
                }
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private String sql(String template, List<String> columns) {
        return SqlText.fill(
                template,
                Map.of(
                        "table",
                        shape.qualified(dialect),
                        "columns",
                        columns.stream()
                                .map(column -> dialect.quote(shaped(column).name()))
                                .collect(Collectors.joining(", ")),
                        "values",
                        columns.stream().map(this::parameter).collect(Collectors.joining(", "))));
    }

    /** A parameter that takes the column's own spelling. */
    private String parameter(String column) {
        SqlTableMetadata.Column shaped = shaped(column);
        return switch (dialect) {
            case POSTGRESQL -> "CAST(? AS " + shaped.typeName().replaceFirst("serial$", "int") + ")";
            case H2 -> shaped.json() ? "? FORMAT JSON" : "?";
            case MYSQL, MARIADB -> "?";
        };
    }

    private SqlTableMetadata.Column shaped(String column) {
        SqlTableMetadata.Column found = shape.column(column.toLowerCase(Locale.ROOT));
        if (found == null) {
            throw new ArchiveException(
                    Reason.MISFIT, "table " + name + " has no column " + column + ", which archived rows have", null);
        }
        return found;
    }
}
