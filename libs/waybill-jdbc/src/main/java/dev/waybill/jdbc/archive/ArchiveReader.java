package dev.waybill.jdbc.archive;

import dev.waybill.jdbc.archive.ArchiveException.Reason;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads archived rows back, in the order in which they were written. */
public final class ArchiveReader {

    private static final int BUFFER = 64 * 1024;

    private ArchiveReader() {}

    /** Whether a file has its end. One without was left by a process that died; all that it deleted is in it nevertheless. */
    public enum Ending {
        CLOSED,
        CUT_OFF
    }

    /** The archive's files in a folder, oldest first; or the file itself. */
    public static List<Path> files(Path folderOrFile) {
        if (!Files.isDirectory(folderOrFile)) {
            return List.of(folderOrFile);
        }
        try (Stream<Path> files = Files.list(folderOrFile)) {
            return files.filter(file -> file.getFileName().toString().endsWith(FileArchive.ENDING))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ArchiveException(Reason.UNREADABLE, "the folder " + folderOrFile + " cannot be listed", e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws ArchiveException DAMAGED, after the rows before the damage, when the file is not as it was written
     */
    public static Ending read(Path file, Consumer<ArchivedRow> rows) {
        try (CutOffStream plain = new CutOffStream(new GZIPInputStream(Files.newInputStream(file), BUFFER));
                BufferedReader text =
                        new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8), BUFFER)) {
            StringBuilder line = new StringBuilder();
            for (int character = text.read(); character >= 0; character = text.read()) {
                if (character == '\n') {
                    rows.accept(ArchiveLine.decode(line.toString()));
                    line.setLength(0);
                } else {
                    line.append((char) character);
                }
            }
            if (plain.isCutOff()) {
                return Ending.CUT_OFF; // half a line belongs to rows that were not deleted
            }
            if (!line.isEmpty()) {
                throw new ArchiveException(Reason.DAMAGED, file + " ends within a line", null);
            }
            return Ending.CLOSED;
        } catch (EOFException e) {
            return Ending.CUT_OFF; // not even its beginning was written
        } catch (ZipException e) {
            throw new ArchiveException(Reason.DAMAGED, file + " is damaged", e);
        } catch (IOException e) {
            throw new ArchiveException(Reason.UNREADABLE, file + " cannot be read", e);
        }
    }
}
