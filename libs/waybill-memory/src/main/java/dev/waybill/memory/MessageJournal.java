package dev.waybill.memory;

import dev.waybill.message.LogText;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file to which records are appended: a length, a checksum, the bytes. What {@link #append} wrote survives the end of the
 * process, however that comes; a power cut may take the last seconds, because nothing is forced to the disk. A record that the
 * end of the process cut short is left out at the next start. {@link #rewrite} puts a shorter file in place of a long one, by
 * a rename: whenever the process ends, one of the two is there and whole.
 *
 * <p>It writes through {@link RandomAccessFile}, because an interrupt would close a channel for everybody.
 */
final class MessageJournal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(MessageJournal.class);
    private static final byte[] HEADER = "waybill-memory 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int FRAME = 8;

    /** Shorter files are not worth rewriting. */
    static final long SMALLEST_REWRITE = 4 * 1024 * 1024;

    private final Path file;
    private final FileChannel lock;
    private RandomAccessFile out;
    private long length;
    private volatile long rewriteAt = SMALLEST_REWRITE;
    private boolean broken;

    private MessageJournal(Path file, FileChannel lock, RandomAccessFile out, long length) {
        this.file = file;
        this.lock = lock;
        this.out = out;
        this.length = length;
    }

    /**
     * Opens the file, or makes it, and hands over every record that is in it.
     *
     * @throws TransportException when another process has it open, or it is not a journal, or it is damaged
     */
    static MessageJournal open(Path file, Consumer<JournalRecord> reader) {
        Path absolute = file.toAbsolutePath();
        FileChannel lock = null;
        boolean opened = false;
        try {
            Files.createDirectories(absolute.getParent());
            lock = FileChannel.open(lockOf(absolute), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isTaken(lock)) {
                throw refusal(
                        "the broker's file " + absolute + " is in use by another process or broker: stop that one, or"
                                + " give each a file of its own (waybill.memory.file)");
            }
            if (!Files.exists(absolute) || Files.size(absolute) < HEADER.length) {
                Files.write(absolute, HEADER);
            }
            long length = read(absolute, reader);
            RandomAccessFile out = new RandomAccessFile(absolute.toFile(), "rw");
            out.setLength(length);
            out.seek(length);
            opened = true;
            return new MessageJournal(absolute, lock, out, length);
        } catch (IOException e) {
            throw new TransportException(
                    Reason.BAD_SETTING, "the broker's file " + absolute + " cannot be used: " + e.getMessage(), e);
        } finally {
            if (!opened && lock != null) {
                closeQuietly(lock);
            }
        }
    }

    /** Beside the file, because a rewrite replaces the file itself. */
    static Path lockOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".lock");
    }

    private static boolean isTaken(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process has it already
        }
    }

    private static long read(Path file, Consumer<JournalRecord> reader) throws IOException {
        long size = Files.size(file);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (!Arrays.equals(in.readNBytes(HEADER.length), HEADER)) {
                throw refusal(
                        file + " is not a file of the broker in memory, or one of another version: name another one, or"
                                + " delete it");
            }
            long good = HEADER.length;
            while (good < size) {
                byte[] bytes = frame(in, file, size - good);
                if (bytes.length == 0) {
                    log.warn("[MemoryBroker] Last record was cut short file={} bytes={}", file, size - good);
                    return good;
                }
                JournalCodec.decode(bytes).forEach(reader);
                good += FRAME + bytes.length;
            }
            return good;
        }
    }

    /** The next record's bytes; none when it is the last and not whole. */
    private static byte[] frame(DataInputStream in, Path file, long left) throws IOException {
        byte[] none = {};
        try {
            int size = in.readInt();
            int checksum = in.readInt();
            if (size <= 0 || size > left - FRAME) {
                return none;
            }
            byte[] bytes = in.readNBytes(size);
            if (checksum(bytes) == checksum) {
                return bytes;
            }
            if (left > FRAME + size) {
                throw refusal("the broker's file " + file
                        + " is damaged in its middle: restore it, or delete it and lose" + " the messages in it");
            }
            return none;
        } catch (EOFException e) {
            return none;
        }
    }

    /** Writes all records or, when it throws, none. */
    synchronized void append(List<? extends JournalRecord> records) {
        byte[] frame = frame(JournalCodec.encode(records));
        if (broken) {
            throw new UncheckedIOException(new IOException(file + " could not be written before, and is closed"));
        }
        try {
            out.write(frame);
            length += frame.length;
        } catch (IOException e) {
            takeBack();
            throw new UncheckedIOException(e);
        }
    }

    /** Half a record in the middle would hide all that come after it. */
    private void takeBack() {
        try {
            out.setLength(length);
            out.seek(length);
        } catch (IOException e) {
            broken = true;
            log.error("[MemoryBroker] File is closed after a failed write file={}", file, LogText.thrown(e));
        }
    }

    private static byte[] frame(byte[] bytes) {
        return ByteBuffer.allocate(FRAME + bytes.length)
                .putInt(bytes.length)
                .putInt(checksum(bytes))
                .put(bytes)
                .array();
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    synchronized boolean isRewriteDue() {
        return length >= rewriteAt && !broken;
    }

    /** Replaces the file by one with these records alone. Nobody appends meanwhile. */
    synchronized void rewrite(Consumer<Consumer<JournalRecord>> records) {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (DataOutputStream next =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(fresh), 1 << 16))) {
                next.write(HEADER);
                records.accept(record -> write(next, record));
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            reopen();
        } catch (IOException | UncheckedIOException e) {
            log.warn("[MemoryBroker] File could not be shortened and grows on file={}", file, LogText.thrown(e));
        }
        rewriteAt = Math.max(SMALLEST_REWRITE, 2 * length);
    }

    private static void write(DataOutputStream next, JournalRecord record) {
        try {
            next.write(frame(JournalCodec.encode(List.of(record))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The old file has no name any longer: what would be written to it would be lost. */
    private void reopen() throws IOException {
        broken = true;
        out.close();
        out = new RandomAccessFile(file.toFile(), "rw");
        length = out.length();
        out.seek(length);
        broken = false;
    }

    @Override
    public synchronized void close() {
        broken = true;
        closeQuietly(out);
        closeQuietly(lock);
    }

    private static void closeQuietly(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            log.warn("[MemoryBroker] File did not close", LogText.thrown(e));
        }
    }

    private static TransportException refusal(String sentence) {
        return new TransportException(Reason.BAD_SETTING, sentence, null);
    }
}
