package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.ArchiveReader;
import dev.waybill.jdbc.archive.ArchivedRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Brings archived rows back, each as it was to the byte: it is read again in the transaction that inserted it, and what differs
 * is rolled back. A row whose key is in the table already stays as the table has it, so that repeating a restore, or one that
 * was interrupted, is harmless.
 *
 * <p>What is restored into a table that is still swept is archived and deleted again by the next sweep: restore into a table of
 * its own where rows are to be looked at for long.
 */
public final class ArchiveRestorer {

    private static final int CHUNK = 200;

    private final SqlConnections connections;

    /** Connects to nothing yet. */
    public ArchiveRestorer(DataSource dataSource) {
        this.connections = new SqlConnections(dataSource);
    }

    /**
     * What a restore did.
     *
     * @param rows how many rows the files had, repeated ones included
     * @param restored how many of them were not in the table
     * @param cutOff files without an end: their process died, and all that it deleted is in them nevertheless
     */
    public record Restored(long rows, long restored, List<Path> cutOff) {

        public Restored {
            cutOff = List.copyOf(cutOff);
        }
    }

    /** Restores everything into the tables that it came from. */
    public Restored restore(Path folderOrFile) {
        return new Run(null, null).over(folderOrFile);
    }

    /**
     * Restores the rows of one table.
     *
     * @param into the same table, or another one with its columns
     * @throws dev.waybill.jdbc.archive.ArchiveException when a file is damaged or a row does not fit
     */
    public Restored restore(Path folderOrFile, String table, String into) {
        return new Run(table, SqlNames.table(into)).over(folderOrFile);
    }

    /** One restore: rows gather by table and columns until a chunk is full. */
    private final class Run {

        private final @Nullable String only;
        private final @Nullable String into;
        private final Map<String, ArchiveTable> tables = new HashMap<>();
        private final Map<List<String>, List<ArchivedRow>> chunks = new HashMap<>();
        private long rows;
        private long restored;

        Run(@Nullable String only, @Nullable String into) {
            this.only = only;
            this.into = into;
        }

        Restored over(Path folderOrFile) {
            List<Path> cutOff = new ArrayList<>();
            try {
                for (Path file : ArchiveReader.files(folderOrFile)) {
                    if (ArchiveReader.read(file, this::take) == ArchiveReader.Ending.CUT_OFF) {
                        cutOff.add(file);
                    }
                }
            } finally {
                chunks.values().forEach(this::write); // of a damaged file, what came before the damage
            }
            return new Restored(rows, restored, cutOff);
        }

        private void take(ArchivedRow row) {
            if (only != null && !only.equals(row.table())) {
                return;
            }
            rows++;
            List<String> kind = new ArrayList<>(row.columns().keySet());
            kind.add(row.table());
            List<ArchivedRow> chunk = chunks.computeIfAbsent(kind, key -> new ArrayList<>());
            chunk.add(row);
            if (chunk.size() >= CHUNK) {
                write(chunk);
            }
        }

        private void write(List<ArchivedRow> chunk) {
            if (chunk.isEmpty()) {
                return;
            }
            String name = into == null ? SqlNames.table(chunk.get(0).table()) : into;
            ArchiveTable table = tables.computeIfAbsent(
                    name, key -> connections.borrow("look up", key, connection -> ArchiveTable.open(connection, key)));
            restored += connections.transaction(
                    "restore", name, table.dialect(), connection -> table.restore(connection, chunk));
            chunk.clear();
        }
    }
}
