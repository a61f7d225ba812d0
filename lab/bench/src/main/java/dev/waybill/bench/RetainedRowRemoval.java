package dev.waybill.bench;

import dev.waybill.jdbc.ArchiveRestorer;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.archive.FileArchive;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.SweepPace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Sweeps the retained rows at the starter's pace, on a thread of this process and connections of its own. */
final class RetainedRowRemoval implements AutoCloseable {

    private static final Duration AGE = Duration.ofDays(7);
    private static final long PATIENCE_SECONDS = 1_800;
    private static final long LARGEST_FILE = 64_000_000;

    private final DataSource pool;
    private final int rows;
    private final TableSize size;
    private final @Nullable Path folder;
    private final @Nullable FileArchive archive;
    private final OutboxStore store;
    private final Thread thread = new Thread(this::run, "retention");
    private final long checksum;
    private final AtomicLong removed = new AtomicLong();
    private volatile double seconds;
    private volatile double megabytesGiven;
    private volatile @Nullable RuntimeException failure;

    RetainedRowRemoval(DataSource pool, int rows, boolean archives, TableSize size) throws SQLException {
        this.pool = pool;
        this.size = size;
        this.rows = rows;
        try {
            this.folder = archives ? Files.createTempDirectory(ContenderProcess.FOLDER, "archive") : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.archive = folder == null ? null : new FileArchive(folder, LARGEST_FILE, Clock.systemUTC());
        this.store = JdbcOutboxStore.builder(pool).archive(archive).build();
        this.checksum = archives ? checksum() : 0;
    }

    void start() {
        thread.start();
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    private void run() {
        try {
            double before = size.megabytes();
            remove();
            megabytesGiven = before - size.megabytes();
        } catch (RuntimeException e) {
            failure = e;
        }
    }

    private void remove() {
        long begin = System.nanoTime();
        try {
            SweepPace pace = new SweepPace();
            while (removed.get() < rows && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                long asked = System.nanoTime();
                removed.addAndGet(store.sweepSettled(AGE, pace.chunk()));
                LockSupport.parkNanos(
                        pace.after(Duration.ofNanos(System.nanoTime() - asked)).toNanos());
            }
        } finally {
            seconds = (System.nanoTime() - begin) / 1e9;
        }
    }

    void join() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (failure != null) {
            throw new NotAResultException("the removal failed: " + failure);
        }
        if (removed.get() != rows) {
            throw new NotAResultException(removed + " of " + rows + " old rows were removed");
        }
    }

    long removed() {
        return removed.get();
    }

    double seconds() {
        return seconds;
    }

    /** How much smaller the table's files are than before. */
    double megabytesGiven() {
        return megabytesGiven;
    }

    /** 1 when the archive brought every row back to the byte. */
    double restoredShare() throws SQLException {
        if (archive == null || folder == null) {
            return Double.NaN;
        }
        archive.close();
        long restored = new ArchiveRestorer(pool).restore(folder).restored();
        if (checksum() != checksum) {
            throw new NotAResultException("the archive brought back other rows than those that were removed");
        }
        return (double) restored / rows;
    }

    /** Of every column of every retained row, in the order of their ids. */
    private long checksum() throws SQLException {
        CRC32 crc = new CRC32();
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.setFetchSize(1_000);
                try (ResultSet row = statement.executeQuery("SELECT * FROM waybill_outbox WHERE event_type = '"
                        + RetainedRows.TYPE + "' ORDER BY event_id")) {
                    while (row.next()) {
                        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                            byte[] value = row.getBytes(i);
                            crc.update(value == null ? new byte[] {0} : value);
                        }
                    }
                }
            }
            connection.rollback();
            connection.setAutoCommit(true);
        }
        return crc.getValue();
    }

    @Override
    public void close() {
        if (folder != null) {
            try (Stream<Path> files = Files.walk(folder).sorted(Comparator.reverseOrder())) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
