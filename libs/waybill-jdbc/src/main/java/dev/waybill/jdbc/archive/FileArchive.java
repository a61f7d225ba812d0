package dev.waybill.jdbc.archive;

import dev.waybill.jdbc.archive.ArchiveException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Keeps rows in a folder, as {@code waybill-<time>-<random>.jsonl.gz}. A process writes to files of its own, so that many can
 * share the folder, and begins another one when a file has grown to its limit, when a day of UTC ends, and after a failure. It
 * deletes no file, ever. Safe for many threads.
 */
public final class FileArchive implements RowArchive, AutoCloseable {

    static final String ENDING = ".jsonl.gz";

    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final long largestFile;
    private final Clock clock;
    private @Nullable ArchiveFile file;

    /**
     * Makes the folder where it is missing, and tries to write into it.
     *
     * @param largestFile bytes after which another file is begun
     * @throws ArchiveException UNWRITABLE when that fails
     */
    public FileArchive(Path folder, long largestFile, Clock clock) {
        this.folder = folder;
        this.largestFile = largestFile;
        this.clock = clock;
        try {
            Files.createDirectories(folder, ArchiveFile.ownerOnly(folder, "rwx------"));
            Files.delete(Files.createTempFile(folder, "waybill-", ".try"));
        } catch (IOException e) {
            throw unwritable(folder, e);
        }
    }

    @Override
    public synchronized void write(List<ArchivedRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        ArchiveFile current = null;
        try {
            current = current();
            current.append(rows);
        } catch (IOException | RuntimeException e) {
            file = null;
            abandon(current, e);
            throw e instanceof IOException io ? unwritable(folder, io) : (RuntimeException) e;
        }
    }

    private ArchiveFile current() throws IOException {
        Instant now = clock.instant();
        if (file != null && (file.size() >= largestFile || !day(now).equals(day(file.begun())))) {
            ArchiveFile full = file;
            file = null;
            full.close();
        }
        if (file == null) {
            String random = UUID.randomUUID().toString().substring(0, 8);
            file = new ArchiveFile(folder.resolve("waybill-" + NAME.format(now) + "-" + random + ENDING), now);
        }
        return file;
    }

    private static String day(Instant time) {
        return NAME.format(time).substring(0, 8);
    }

    private static void abandon(@Nullable ArchiveFile failed, Exception cause) {
        if (failed != null) {
            try {
                failed.abandon();
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }
    }

    private static ArchiveException unwritable(Path folder, IOException cause) {
        return new ArchiveException(Reason.UNWRITABLE, "the archive's folder " + folder + " cannot be written", cause);
    }

    /** Gives the current file its end. A later write begins another one. */
    @Override
    public synchronized void close() {
        ArchiveFile last = file;
        file = null;
        if (last != null) {
            try {
                last.close();
            } catch (IOException e) {
                throw unwritable(folder, e);
            }
        }
    }
}
