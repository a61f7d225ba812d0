package dev.waybill.servers;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * A table as its database describes it, so that two ways to create it can be compared. Names of keys and indexes are left out,
 * because some databases make them up.
 *
 * @param columns name, type, size, nullability, default and collation of each, in the table's order
 * @param primaryKey columns of the primary key, in the key's order
 * @param indexes uniqueness and columns of each, sorted
 */
public record TableSchema(String table, List<String> columns, List<String> primaryKey, List<String> indexes) {

    private static final String COLLATION =
            "SELECT collation_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ? AND column_name = ?";

    /** Reads a table; one that does not exist has no columns. */
    public static TableSchema read(DataSource dataSource, String table) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData metadata = connection.getMetaData();
            String name = metadata.storesUpperCaseIdentifiers() ? table.toUpperCase(Locale.ROOT) : table;
            return new TableSchema(
                    table, columns(connection, name), primaryKey(connection, name), indexes(connection, name));
        }
    }

    private static List<String> columns(Connection connection, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (ResultSet row =
                connection.getMetaData().getColumns(connection.getCatalog(), connection.getSchema(), table, null)) {
            while (row.next()) {
                String column = row.getString("COLUMN_NAME");
                columns.add("%s %s(%s,%s) nullable=%s default=%s generated=%s collation=%s"
                        .formatted(
                                column,
                                row.getString("TYPE_NAME"),
                                row.getString("COLUMN_SIZE"),
                                row.getString("DECIMAL_DIGITS"),
                                row.getString("IS_NULLABLE"),
                                row.getString("COLUMN_DEF"),
                                row.getString("IS_AUTOINCREMENT"),
                                collation(connection, table, column)));
            }
        }
        return List.copyOf(columns);
    }

    private static String collation(Connection connection, String table, String column) throws SQLException {
        String schema = connection.getSchema() == null ? connection.getCatalog() : connection.getSchema();
        try (PreparedStatement query = connection.prepareStatement(COLLATION)) {
            query.setString(1, schema);
            query.setString(2, table);
            query.setString(3, column);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? String.valueOf(row.getString(1)) : "unknown";
            }
        }
    }

    private static List<String> primaryKey(Connection connection, String table) throws SQLException {
        Map<Integer, String> columns = new TreeMap<>();
        try (ResultSet row =
                connection.getMetaData().getPrimaryKeys(connection.getCatalog(), connection.getSchema(), table)) {
            while (row.next()) {
                columns.put(row.getInt("KEY_SEQ"), row.getString("COLUMN_NAME"));
            }
        }
        return List.copyOf(columns.values());
    }

    private static List<String> indexes(Connection connection, String table) throws SQLException {
        Map<String, StringBuilder> byName = new TreeMap<>();
        try (ResultSet row = connection
                .getMetaData()
                .getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, true)) {
            while (row.next()) {
                if (row.getString("INDEX_NAME") != null) {
                    String kind = row.getBoolean("NON_UNIQUE") ? "index" : "unique";
                    byName.computeIfAbsent(row.getString("INDEX_NAME"), name -> new StringBuilder(kind))
                            .append(' ')
                            .append(row.getString("COLUMN_NAME"));
                }
            }
        }
        return byName.values().stream().map(StringBuilder::toString).sorted().toList();
    }
}
