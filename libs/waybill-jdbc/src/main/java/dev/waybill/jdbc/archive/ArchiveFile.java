package dev.waybill.jdbc.archive;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/**
 * One file while it is written: a single gzip stream that is flushed as a whole after each batch, so that what a batch wrote can
 * be read even when the file never gets its end. Only its owner may read it, because payloads are in it.
 */
final class ArchiveFile implements AutoCloseable {

    private static final int BUFFER = 64 * 1024;

    private final Path path;
    private final Instant begun;
    private final FileChannel channel;
    private final GZIPOutputStream compressed;

    ArchiveFile(Path path, Instant begun) throws IOException {
        this.path = path;
        this.begun = begun;
        this.channel = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly(path, "rw-------"));
        try {
            this.compressed = new GZIPOutputStream(Channels.newOutputStream(channel), BUFFER, true);
            channel.force(true);
            forceFolder(path);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The attribute where the file system has such rights, and nothing elsewhere. */
    static FileAttribute<?>[] ownerOnly(Path path, String rights) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }

    /** A new file's name is on disk only when its folder is. */
    private static void forceFolder(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return;
        }
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        } catch (AccessDeniedException e) {
            if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                throw e;
            } // Windows opens no folders and writes names at once
        }
    }

    Path path() {
        return path;
    }

    Instant begun() {
        return begun;
    }

    long size() throws IOException {
        return channel.position();
    }

    void append(List<ArchivedRow> rows) throws IOException {
        for (ArchivedRow row : rows) {
            compressed.write(ArchiveLine.encode(row));
        }
        compressed.flush();
        channel.force(true);
    }

    /** Writes the end and its checksum. */
    @Override
    public void close() throws IOException {
        try (channel) {
            compressed.finish();
            channel.force(true);
        }
    }

    /** Leaves the file as it is: what was written before the failure can be read. */
    void abandon() throws IOException {
        channel.close();
    }
}
