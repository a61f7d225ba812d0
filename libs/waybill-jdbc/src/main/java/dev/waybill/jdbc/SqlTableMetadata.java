package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table as the database describes and spells it; the schema only where the mapping names one. */
record SqlTableMetadata(
        @Nullable String schema,
        String name,
        Map<String, Column> columns,
        List<Index> indexes,
        List<String> primaryKey) {

    record Column(String name, int type, String typeName, int size, boolean nullable) {

        boolean numeric() {
            return switch (type) {
                case Types.BIT,
                        Types.TINYINT,
                        Types.SMALLINT,
                        Types.INTEGER,
                        Types.BIGINT,
                        Types.NUMERIC,
                        Types.DECIMAL -> true;
                default -> false;
            };
        }

        boolean json() {
            String lower = typeName.toLowerCase(Locale.ROOT);
            return lower.equals("json") || lower.equals("jsonb");
        }
    }

    record Index(String name, List<String> columns, boolean unique) {

        boolean startsWith(String... wanted) {
            if (columns.size() < wanted.length) {
                return false;
            }
            for (int i = 0; i < wanted.length; i++) {
                if (!columns.get(i).equalsIgnoreCase(wanted[i])) {
                    return false;
                }
            }
            return true;
        }
    }

    @Nullable Column column(String columnName) {
        return columns.get(columnName.toLowerCase(Locale.ROOT));
    }

    /** The name for statements. */
    String qualified(Dialect dialect) {
        return (schema == null ? "" : dialect.quote(schema) + ".") + dialect.quote(name);
    }

    /**
     * Reads the shape.
     *
     * @throws dev.waybill.store.StoreException MISCONFIGURED with the fix, when there is no such table
     */
    static SqlTableMetadata required(Connection connection, String table, String fix) throws SQLException {
        SqlTableMetadata shape = read(connection, table);
        if (shape == null) {
            throw SqlErrors.misconfigured("table " + table + " does not exist, or this user may not see it; " + fix);
        }
        return shape;
    }

    /** Reads the shape; null when there is no such table, or none that this user may see. */
    static @Nullable SqlTableMetadata read(Connection connection, String table) throws SQLException {
        int dot = table.indexOf('.');
        String schema = dot < 0 ? null : table.substring(0, dot);
        String bare = table.substring(dot + 1);
        DatabaseMetaData about = connection.getMetaData();
        for (Place place : Place.candidates(connection, schema)) {
            for (String spelling : spellings(bare)) {
                Map<String, Column> columns = columns(about, place, spelling);
                if (!columns.isEmpty()) {
                    String found = schema == null ? null : place.schema() == null ? schema : place.schema();
                    return new SqlTableMetadata(
                            found,
                            spelling,
                            columns,
                            indexes(about, place, spelling),
                            primaryKey(about, place, spelling));
                }
            }
        }
        return null;
    }

    private record Place(@Nullable String catalog, @Nullable String schema) {

        static List<Place> candidates(Connection connection, @Nullable String schema) throws SQLException {
            String catalog = connection.getCatalog();
            if (Dialect.of(connection).isMySqlFamily()) {
                return List.of(new Place(schema == null ? catalog : schema, null));
            }
            if (schema == null) {
                return List.of(new Place(catalog, connection.getSchema()), new Place(catalog, null));
            }
            List<Place> places = new ArrayList<>();
            for (String spelling : spellings(schema)) {
                places.add(new Place(catalog, spelling));
            }
            return places;
        }
    }

    private static Set<String> spellings(String name) {
        return new LinkedHashSet<>(List.of(name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT)));
    }

    private static Map<String, Column> columns(DatabaseMetaData about, Place place, String table) throws SQLException {
        Map<String, Column> columns = new LinkedHashMap<>();
        String pattern = table.replace("_", about.getSearchStringEscape() + "_");
        try (ResultSet row = about.getColumns(place.catalog(), place.schema(), pattern, null)) {
            while (row.next()) {
                if (!table.equals(row.getString("TABLE_NAME"))) {
                    continue;
                }
                String name = row.getString("COLUMN_NAME");
                columns.putIfAbsent(
                        name.toLowerCase(Locale.ROOT),
                        new Column(
                                name,
                                row.getInt("DATA_TYPE"),
                                row.getString("TYPE_NAME"),
                                row.getInt("COLUMN_SIZE"),
                                row.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls));
            }
        }
        return columns;
    }

    private static List<String> primaryKey(DatabaseMetaData about, Place place, String table) throws SQLException {
        TreeMap<Short, String> found = new TreeMap<>();
        try (ResultSet row = about.getPrimaryKeys(place.catalog(), place.schema(), table)) {
            while (row.next()) {
                found.put(row.getShort("KEY_SEQ"), row.getString("COLUMN_NAME"));
            }
        }
        return List.copyOf(found.values());
    }

    private static List<Index> indexes(DatabaseMetaData about, Place place, String table) throws SQLException {
        Map<String, TreeMap<Short, String>> found = new LinkedHashMap<>();
        Set<String> unique = new LinkedHashSet<>();
        try (ResultSet row = about.getIndexInfo(place.catalog(), place.schema(), table, false, true)) {
            while (row.next()) {
                String index = row.getString("INDEX_NAME");
                String column = row.getString("COLUMN_NAME");
                if (index != null && column != null) {
                    found.computeIfAbsent(index, name -> new TreeMap<>()).put(row.getShort("ORDINAL_POSITION"), column);
                    if (!row.getBoolean("NON_UNIQUE")) {
                        unique.add(index);
                    }
                }
            }
        }
        List<Index> indexes = new ArrayList<>();
        found.forEach(
                (name, columns) -> indexes.add(new Index(name, List.copyOf(columns.values()), unique.contains(name))));
        return indexes;
    }
}
