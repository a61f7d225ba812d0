package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many rows there are by the database's own statistics, without a look at them. */
final class RowEstimate {

    private static final Pattern PLANNED_ROWS = Pattern.compile("\\brows=([0-9]+)");

    /** The parts of a partitioned table have the rows. A table that nobody has analysed yet has none. */
    private static final String ROWS_OF_TABLE = """
            SELECT CAST(COALESCE(SUM(GREATEST(reltuples, 0)), 0) AS bigint) FROM pg_class
            WHERE oid = to_regclass(:table)
                OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass(:table))""";

    private final Dialect dialect;

    RowEstimate(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Of a query, as its plan says; 0 where the database does not plan by rows. */
    long rows(Connection connection, String query) throws SQLException {
        return switch (dialect) {
            case MYSQL, MARIADB -> first(new SqlCall("EXPLAIN " + query).query(connection, row -> row.getLong("rows")));
            case POSTGRESQL ->
                first(new SqlCall("EXPLAIN " + query).query(connection, row -> plannedRows(row.getString(1))));
            case H2 -> 0;
        };
    }

    /** Of a table on PostgreSQL. */
    long rowsOfTable(Connection connection, String table) throws SQLException {
        return first(new SqlCall(ROWS_OF_TABLE).set("table", table).query(connection, row -> row.getLong(1)));
    }

    /** The first line is the whole plan's. */
    private static long plannedRows(String line) {
        Matcher rows = PLANNED_ROWS.matcher(line);
        return rows.find() ? Long.parseLong(rows.group(1)) : 0;
    }

    private static long first(List<Long> rows) {
        return rows.isEmpty() ? 0 : rows.get(0);
    }
}
