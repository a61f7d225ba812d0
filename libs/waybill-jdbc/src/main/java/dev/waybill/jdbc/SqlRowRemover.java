package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchivedRow;
import dev.waybill.jdbc.archive.RowArchive;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deletes rows. Where there is an archive, it locks and reads them first and deletes what the archive has taken, in small
 * transactions; rows that another process has locked to do the same are passed over, so that each is archived once.
 *
 * @param <K> what names a row
 */
final class SqlRowRemover<K> {

    /** Rows of an outbox may be megabytes each, and those of one step are in memory at once. */
    static final int STEP = 100;

    /** What follows the statement that reads the rows. */
    static final String LOCKED = " FOR UPDATE SKIP LOCKED";

    /** The statements for one table. */
    interface Statements<K> {

        /** Reads and locks whole rows. */
        SqlCall whole(List<K> keys);

        SqlCall delete(List<K> keys);

        K key(ArchivedRow row);
    }

    private final SqlConnections connections;
    private final Dialect dialect;
    private final String table;
    private final @Nullable RowArchive archive;
    private final Statements<K> statements;

    /** @param table its name, with or without quotes */
    SqlRowRemover(
            SqlConnections connections,
            Dialect dialect,
            String table,
            @Nullable RowArchive archive,
            Statements<K> statements) {
        this.connections = connections;
        this.dialect = dialect;
        this.table = table;
        this.archive = archive;
        this.statements = statements;
    }

    int remove(List<K> keys) {
        if (archive == null) {
            return keys.isEmpty()
                    ? 0
                    : connections.once(
                            "sweep",
                            table,
                            dialect,
                            connection -> statements.delete(keys).update(connection));
        }
        int removed = 0;
        for (int from = 0; from < keys.size(); from += STEP) {
            List<K> some = keys.subList(from, Math.min(keys.size(), from + STEP));
            removed += connections.transaction("sweep", table, dialect, connection -> removeIn(connection, some));
        }
        return removed;
    }

    /** Does it in a transaction that is there already. */
    int removeIn(Connection connection, List<K> keys) throws SQLException {
        List<K> kept = archive == null ? keys : archived(connection, archive, keys);
        return kept.isEmpty() ? 0 : statements.delete(kept).update(connection);
    }

    private List<K> archived(Connection connection, RowArchive into, List<K> keys) throws SQLException {
        if (keys.isEmpty()) {
            return keys;
        }
        List<ArchivedRow> rows = statements.whole(keys).query(connection, row -> SqlArchivedRow.read(table, row));
        into.write(rows);
        return rows.stream().map(statements::key).toList();
    }
}
