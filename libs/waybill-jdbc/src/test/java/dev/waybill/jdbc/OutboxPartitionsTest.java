package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.archive.FileArchive;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Partitions are there before they are needed, and go when nobody needs a row of theirs. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class OutboxPartitionsTest {

    private static final Duration PERIOD = Duration.ofHours(10);
    private static final Duration OLD = PERIOD.multipliedBy(3);
    private static final OutboxMapping WAYBILL = OutboxLayouts.waybill();

    private final PrivateServers servers;

    @TempDir
    private Path folder;

    OutboxPartitionsTest(PrivateServers servers) {
        this.servers = servers;
    }

    private TestPool pool(Dialect dialect) {
        return new TestPool(
                switch (dialect) {
                    case MARIADB -> servers.mariaDb().freshDatabase();
                    case MYSQL -> servers.mySql().freshDatabase();
                    case POSTGRESQL -> servers.postgreSql().freshDatabase();
                    case H2 -> TestPool.h2();
                });
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void aPartitionGoesWhenEverythingInItIsSettledAndOld(Dialect dialect) throws SQLException {
        try (TestPool pool = pool(dialect)) {
            Periods periods = new Periods(pool, dialect, -7);
            periods.insert(-7, 30, "SENT", 65);
            periods.insert(-6, 30, "SENT", 59);
            periods.insert(-6, 1, "NEW", 0);
            periods.insert(-5, 30, "SENT", 51);
            periods.insert(-5, 1, "DEAD", 0);
            periods.insert(-4, 30, "SENT", 35);
            periods.insert(-4, 1, "SENT-LATE", 2);
            periods.insert(-3, 30, "SENT", 25);
            JdbcOutboxStore store = store(pool, null);

            int swept = store.sweepSettled(OLD, 10_000);

            assertThat(periods.list()).containsExactly(-6, -5, -4, -3, -2, -1, 0, 1, 2, 3);
            assertThat(swept)
                    .as("a partition, and what is beside rows that wait and older than two periods more")
                    .isEqualTo(90);
            assertThat(pool.query("SELECT status FROM waybill_outbox WHERE status <> 'SENT' ORDER BY status"))
                    .containsExactly("DEAD", "NEW");
            assertThat(pool.query("SELECT event_id FROM waybill_outbox")).hasSize(63);
            assertThat(store.sweepSettled(OLD, 10_000)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void laterPeriodsGetTheirPartitionsAheadOfTimeAlsoAfterAPause(Dialect dialect) throws SQLException {
        try (TestPool pool = pool(dialect)) {
            Periods periods = new Periods(pool, dialect, 0);
            periods.drop(3);
            periods.drop(2);
            assertThat(periods.list()).containsExactly(0, 1);

            store(pool, null).sweepSettled(OLD, 100);

            assertThat(periods.list()).containsExactly(0, 1, 2, 3);
            periods.drop(3);
            periods.drop(2);
            periods.insert(2, 5, "NEW", 0);
            periods.addAhead(5);
            List<Integer> list = periods.list();
            assertThat(list.subList(list.size() - 3, list.size())).containsExactly(6, 7, 8);
            assertThat(store(pool, null).backlog().fresh()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void whoeverHoldsTheTableIsNotWaitedForLong(Dialect dialect) throws SQLException {
        try (TestPool pool = pool(dialect);
                Connection reader = pool.connections().getConnection()) {
            Periods periods = new Periods(pool, dialect, -6);
            periods.insert(-6, 3, "SENT", 49);
            periods.drop(3);
            JdbcOutboxStore store = store(pool, null);
            reader.setAutoCommit(false);
            try (Statement statement = reader.createStatement()) {
                statement.executeQuery("SELECT COUNT(*) FROM waybill_outbox").close();
            }
            long begun = System.nanoTime();

            store.sweepSettled(OLD, 100);

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
            assertThat(periods.list()).contains(-6).doesNotContain(3);
            reader.rollback();
            store.sweepSettled(OLD, 100);
            assertThat(periods.list()).containsExactly(-3, -2, -1, 0, 1, 2, 3);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2")
    void aPartitionIsArchivedBeforeItGoesAndComesBack(Dialect dialect) throws SQLException {
        try (TestPool pool = pool(dialect);
                FileArchive archive = new FileArchive(folder, 1_000_000, Clock.systemUTC())) {
            Periods periods = new Periods(pool, dialect, -4);
            periods.insert(-4, 450, "SENT", 35);
            List<String> before = rows(pool);
            JdbcOutboxStore store = store(pool, archive);

            assertThat(store.sweepSettled(OLD, 300)).isEqualTo(300);
            assertThat(periods.list()).as("not all is archived").contains(-4);
            assertThat(store.sweepSettled(OLD, 300)).isEqualTo(150);

            assertThat(periods.list()).containsExactly(-3, -2, -1, 0, 1, 2, 3);
            assertThat(rows(pool)).isEmpty();
            assertThat(new ArchiveRestorer(pool.connections()).restore(folder).restored())
                    .isEqualTo(450);
            assertThat(rows(pool)).isEqualTo(before);
        }
    }

    @Test
    void whatCanHaveNoPartitionsIsRefused() {
        assertThatThrownBy(() -> Ddl.print(Dialect.H2, WAYBILL, PERIOD, Instant.EPOCH))
                .hasMessage("H2 has no partitions");
        assertThatThrownBy(() -> Ddl.print(Dialect.MARIADB, OutboxLayouts.tOutboxEvent(), PERIOD, Instant.EPOCH))
                .hasMessageContaining("only the layout waybill");
        assertThatThrownBy(() -> Ddl.print(Dialect.MARIADB, WAYBILL, Duration.ofMinutes(90), Instant.EPOCH))
                .hasMessageContaining("whole hours");
    }

    private static JdbcOutboxStore store(TestPool pool, @Nullable RowArchive archive) {
        return JdbcOutboxStore.builder(pool.connections())
                .callerConnection(new JdbcTransactions(pool.connections()))
                .archive(archive)
                .build();
    }

    private static List<String> rows(TestPool pool) throws SQLException {
        try (Connection connection = pool.connections().getConnection()) {
            return new SqlCall("SELECT * FROM waybill_outbox ORDER BY event_id")
                    .query(
                            connection,
                            row -> SqlArchivedRow.read("t", row).columns().toString());
        }
    }

    /** A table that has been used for some periods, its partitions numbered from the present one. */
    private static final class Periods {

        private final TestPool pool;
        private final Dialect dialect;
        private final OutboxPartitions partitions;
        private final SqlConnections connections;
        private final Instant now = OutboxPartition.floor(Clock.systemUTC().instant(), PERIOD);

        Periods(TestPool pool, Dialect dialect, int first) throws SQLException {
            this.pool = pool;
            this.dialect = dialect;
            this.connections = new SqlConnections(pool.connections());
            Ddl.apply(pool.connections(), WAYBILL, PERIOD, at(first));
            Ddl.apply(pool.connections(), WAYBILL, PERIOD, at(0)); // a second time must change nothing
            try (Connection connection = pool.connections().getConnection()) {
                this.partitions = OutboxPartitions.of(OutboxTable.open(connection, WAYBILL, "shop"));
            }
        }

        private Instant at(int period) {
            return now.plus(PERIOD.multipliedBy(period));
        }

        List<Integer> list() throws SQLException {
            try (Connection connection = pool.connections().getConnection()) {
                return partitions.dated(connection).stream()
                        .map(each -> (int) Duration.between(now, each.end()).dividedBy(PERIOD) - 1)
                        .toList();
            }
        }

        void addAhead(int period) {
            partitions.addAhead(connections, at(period));
        }

        void drop(int period) throws SQLException {
            List<OutboxPartition> dated;
            try (Connection connection = pool.connections().getConnection()) {
                dated = partitions.dated(connection);
            }
            OutboxPartition partition = dated.stream()
                    .filter(each -> each.end().equals(at(period + 1)))
                    .findFirst()
                    .orElseThrow();
            assertThat(partitions.drop(connections, partition)).isEqualTo(OutboxPartitions.Drop.DROPPED);
        }

        void insert(int period, int rows, String status, int sentHoursAgo) {
            String due = status.startsWith("SENT") ? "9999" : status.equals("DEAD") ? "9998" : "2001";
            String id = OutboxPartition.leastId(at(period)).substring(0, 23);
            for (int i = 0; i < rows; i++) {
                pool.execute("INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, due_at,"
                        + " created_at, sent_at) VALUES ('"
                        + id + String.format("-%c%c%010d", status.charAt(0), status.charAt(status.length() - 1), i)
                        + "', 'OrderCreated', " + ago(-period * 10) + ", '{ }', '"
                        + status.substring(0, Math.min(4, status.length()))
                        + "', '" + due + "-12-31 00:00:00', " + ago(-period * 10) + ", "
                        + (status.startsWith("SENT") ? ago(sentHoursAgo) : "NULL") + ")");
            }
        }

        private String ago(int hours) {
            return dialect == Dialect.POSTGRESQL
                    ? "now() - interval '" + hours + " hours'"
                    : "UTC_TIMESTAMP(3) - INTERVAL " + hours + " HOUR";
        }
    }
}
