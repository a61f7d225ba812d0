package dev.waybill.jdbc.archive;

import java.util.List;

/** Takes rows that are about to be deleted. */
@FunctionalInterface
public interface RowArchive {

    /**
     * Keeps these rows. When it returns they survive a crash of the machine, and only then they are deleted. A crash between
     * the two leaves the rows in the table, and they come once more.
     *
     * @throws ArchiveException when they could not be kept: they are not deleted
     */
    void write(List<ArchivedRow> rows);
}
