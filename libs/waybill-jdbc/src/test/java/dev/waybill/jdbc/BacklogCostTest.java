package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.OutboxStore.Backlog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A backlog of any size is told at one price, and nearly right. */
@Servers({Server.MARIADB, Server.POSTGRESQL})
class BacklogCostTest {

    private static final int WAITING = 120_000;
    private static final int RETRYING = 30;

    @Test
    void aLargeBacklogIsEstimatedAndNotReadOnMariaDb(MariaDb server) throws SQLException {
        try (TestPool pool = oneConnection(server.freshDatabase())) {
            fill(pool, OutboxLayouts.waybill(), """
                    INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, attempts, due_at)
                    SELECT CONCAT('id-', LPAD(seq, 12, '0')), 'T', UTC_TIMESTAMP(3), '{}',
                        IF(seq <= 30, 'RETRY', 'NEW'), IF(seq <= 30, 1, 0),
                        UTC_TIMESTAMP(3) + INTERVAL IF(seq <= 30, 60, -60) SECOND FROM seq_1_to_120000""");
            fill(pool, OutboxLayouts.named("t_outbox_event"), """
                    INSERT INTO t_outbox_event (event_id, biz_key, topic, tag, payload_json, status, retry_count,
                        next_retry_at, created_at)
                    SELECT CONCAT('id-', seq), 'k', 't', 'g', '{}', IF(seq <= 30, 'RETRY', 'NEW'), IF(seq <= 30, 1, 0),
                        IF(seq <= 30, UTC_TIMESTAMP() + INTERVAL 60 SECOND, NULL), UTC_TIMESTAMP() - INTERVAL 60 SECOND
                    FROM seq_1_to_120000""");
            for (OutboxMapping layout :
                    new OutboxMapping[] {OutboxLayouts.waybill(), OutboxLayouts.named("t_outbox_event")}) {
                JdbcOutboxStore store = store(pool, layout);
                store.backlog(); // looks the table up
                long before = readOnMariaDb(pool);
                assertTold(store.backlog());
                assertThat(readOnMariaDb(pool) - before)
                        .as(layout.layout() + ": rows and index entries read")
                        .isLessThan(4 * Backlog.MOST_WAITING);
            }
        }
    }

    @Test
    void aLargeBacklogIsEstimatedAndNotReadOnPostgreSql(PostgreSql server) throws SQLException {
        try (TestPool pool = oneConnection(server.freshDatabase())) {
            fill(pool, OutboxLayouts.waybill(), """
                    INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, attempts, due_at)
                    SELECT 'id-' || LPAD(CAST(seq AS text), 12, '0'), 'T', now(), '{}',
                        CASE WHEN seq <= 30 THEN 'RETRY' ELSE 'NEW' END, CASE WHEN seq <= 30 THEN 1 ELSE 0 END,
                        now() + CASE WHEN seq <= 30 THEN INTERVAL '60 s' ELSE INTERVAL '-60 s' END
                    FROM generate_series(1, 120000) seq""");
            JdbcOutboxStore store = store(pool, OutboxLayouts.waybill());
            assertTold(store.backlog());
            assertThat(pool.query("EXPLAIN SELECT status FROM waybill_outbox WHERE status IN ('NEW', 'RETRY')"
                            + " ORDER BY due_at DESC LIMIT 20000"))
                    .anyMatch(line -> line.contains("Index Scan Backward using waybill_outbox_idx_due"));
        }
    }

    /** What it reads is counted by its session. */
    private static TestPool oneConnection(Database database) {
        return new TestPool(database, config -> config.setMaximumPoolSize(1));
    }

    private static void fill(TestPool pool, OutboxMapping layout, String insert) {
        Ddl.apply(pool.connections(), layout);
        pool.execute(insert);
        pool.execute("ANALYZE " + (insert.contains("seq_1_to") ? "TABLE " : "") + layout.table());
    }

    private static JdbcOutboxStore store(TestPool pool, OutboxMapping layout) {
        return JdbcOutboxStore.builder(pool.connections()).mapping(layout).build();
    }

    private static void assertTold(Backlog backlog) {
        assertThat(backlog.waiting())
                .as("InnoDB never estimates more than half of a table")
                .isBetween(WAITING / 3L, WAITING * 2L);
        assertThat(backlog.retrying()).isEqualTo(RETRYING);
        assertThat(backlog.sent()).as("estimated on PostgreSQL").isLessThan(WAITING / 20);
        assertThat(backlog.dead()).isZero();
        assertThat(backlog.oldestDue()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(10));
    }

    /** By this session, as the storage engine counts them. */
    private static long readOnMariaDb(TestPool pool) throws SQLException {
        try (Connection connection = pool.connections().getConnection();
                Statement statement = connection.createStatement();
                ResultSet counts = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
            long read = 0;
            while (counts.next()) {
                read += counts.getLong(2);
            }
            return read;
        }
    }
}
