package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.archive.ArchiveException;
import dev.waybill.jdbc.archive.ArchiveReader;
import dev.waybill.jdbc.archive.FileArchive;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.servers.Database;
import dev.waybill.servers.PrivateServers;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.Lease;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.Settlement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is swept into an archive comes back to the byte, on every database. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class ArchivedSweepTest {

    private static final Duration AN_HOUR = Duration.ofHours(1);
    private static final OperatorDecision DECISION = new OperatorDecision("ann", "no use");
    private static final String PAYLOAD = "{ \"text\" : \"中文 \uD83D\uDE00 \\n \\u00e9 \", \"n\":1.50 }";

    private final PrivateServers servers;

    @TempDir
    private Path folder;

    ArchivedSweepTest(PrivateServers servers) {
        this.servers = servers;
    }

    private Database database(Dialect dialect) {
        return switch (dialect) {
            case MARIADB -> servers.mariaDb().freshDatabase();
            case MYSQL -> servers.mySql().freshDatabase();
            case POSTGRESQL -> servers.postgreSql().freshDatabase();
            case H2 -> TestPool.h2();
        };
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void sweptRowsComeBackToTheByte(Dialect dialect) throws SQLException {
        try (TestPool pool = new TestPool(database(dialect))) {
            for (OutboxMapping mapping : OutboxLayouts.all()) {
                sentLongAgo(pool, dialect, mapping);
            }
            lettersAndHandledEvents(pool, dialect);
            List<String> before = contents(pool);

            int swept = sweepAll(pool);

            assertThat(contents(pool)).isEmpty();
            assertThat(before).hasSize(swept);
            ArchiveRestorer restorer = new ArchiveRestorer(pool.connections());
            assertThat(restorer.restore(folder)).isEqualTo(new ArchiveRestorer.Restored(swept, swept, List.of()));
            assertThat(contents(pool)).containsExactlyInAnyOrderElementsOf(before);
            assertThat(restorer.restore(folder).restored()).as("once more").isZero();
            assertThat(contents(pool)).containsExactlyInAnyOrderElementsOf(before);
        }
    }

    private int sweepAll(TestPool pool) {
        int swept = 0;
        try (FileArchive archive = new FileArchive(folder, 10_000, Clock.systemUTC())) {
            for (OutboxMapping mapping : OutboxLayouts.all()) {
                JdbcOutboxStore store = outbox(pool, mapping, archive);
                swept += store.sweepSettled(AN_HOUR, 1_000);
                swept += store.sweepAttempts(AN_HOUR, 1_000);
                swept += store.sweepAudit(AN_HOUR, 1_000);
            }
            swept += JdbcInboxStore.builder(pool.connections())
                    .archive(archive)
                    .build()
                    .sweep(AN_HOUR, 1_000);
            JdbcDeadLetterStore letters = new JdbcDeadLetterStore(pool.connections(), archive);
            swept += letters.sweepSettled(AN_HOUR, 1_000) + letters.sweepAudit(AN_HOUR, 1_000);
        }
        return swept;
    }

    @Test
    void whatCannotBeArchivedStays() throws SQLException {
        try (TestPool pool = new TestPool(TestPool.h2())) {
            RowArchive full = rows -> {
                throw new ArchiveException(ArchiveException.Reason.UNWRITABLE, "no space left", null);
            };
            sentLongAgo(pool, Dialect.H2, OutboxLayouts.waybill());
            JdbcOutboxStore store = outbox(pool, OutboxLayouts.waybill(), full);
            assertThatThrownBy(() -> store.sweepSettled(AN_HOUR, 1_000)).isInstanceOf(ArchiveException.class);
            assertThat(pool.query("SELECT event_id FROM waybill_outbox")).hasSize(250);
        }
    }

    @Test
    void theToolRestoresIntoATableOfItsOwn() throws SQLException {
        Database database = TestPool.h2();
        try (TestPool pool = new TestPool(database);
                FileArchive archive = new FileArchive(folder, 1_000_000, Clock.systemUTC())) {
            sentLongAgo(pool, Dialect.H2, OutboxLayouts.waybill());
            outbox(pool, OutboxLayouts.waybill(), archive).sweepSettled(AN_HOUR, 1_000);
            pool.execute("CREATE TABLE looked_at AS SELECT * FROM waybill_outbox");
            pool.execute("ALTER TABLE looked_at ALTER COLUMN event_id SET NOT NULL");
            pool.execute("ALTER TABLE looked_at ADD PRIMARY KEY (event_id)");

            String said = tool(
                    0,
                    "--archive",
                    folder.toString(),
                    "--url",
                    database.jdbcUrl(),
                    "--user",
                    database.user(),
                    "--table",
                    "waybill_outbox",
                    "--into",
                    "looked_at");

            assertThat(said).contains("has no end").contains("250 of 250 rows restored");
            assertThat(pool.query("SELECT event_id FROM looked_at")).hasSize(250);
            assertThat(pool.query("SELECT event_id FROM waybill_outbox")).isEmpty();
        }
        assertThat(tool(2, "--archive", folder.toString())).contains("--url is missing");
        assertThat(tool(1, "--archive", folder.resolve("none.gz").toString(), "--url", database.jdbcUrl()))
                .contains("cannot be read");
    }

    private static String tool(int exit, String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertThat(ArchiveTool.run(List.of(arguments), "", out, out)).isEqualTo(exit);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aProcessThatDiedBetweenArchivingAndDeletingArchivesTwiceAndRestoresOnce() throws SQLException {
        try (TestPool pool = new TestPool(TestPool.h2());
                FileArchive archive = new FileArchive(folder, 1_000_000, Clock.systemUTC())) {
            RowArchive dies = rows -> {
                archive.write(rows);
                throw new IllegalStateException("killed");
            };
            sentLongAgo(pool, Dialect.H2, OutboxLayouts.waybill());
            assertThatThrownBy(() -> outbox(pool, OutboxLayouts.waybill(), dies).sweepSettled(AN_HOUR, 1_000))
                    .hasMessage("killed");
            assertThat(outbox(pool, OutboxLayouts.waybill(), archive).sweepSettled(AN_HOUR, 1_000))
                    .isEqualTo(250);

            ArchiveRestorer.Restored restored = new ArchiveRestorer(pool.connections()).restore(folder);

            assertThat(restored.rows()).isEqualTo(350);
            assertThat(restored.restored()).isEqualTo(250);
            assertThat(restored.cutOff()).isEqualTo(ArchiveReader.files(folder));
        }
    }

    private static JdbcOutboxStore outbox(TestPool pool, OutboxMapping mapping, RowArchive archive) {
        return JdbcOutboxStore.builder(pool.connections())
                .callerConnection(new JdbcTransactions(pool.connections()))
                .mapping(mapping)
                .archive(archive)
                .build();
    }

    /** More rows than an archive takes in one step, all of them settled, and a decision about one more. */
    private static void sentLongAgo(TestPool pool, Dialect dialect, OutboxMapping mapping) throws SQLException {
        Ddl.apply(pool.connections(), mapping);
        JdbcTransactions transactions = new JdbcTransactions(pool.connections());
        JdbcOutboxStore store = JdbcOutboxStore.builder(pool.connections())
                .callerConnection(transactions)
                .mapping(mapping)
                .build();
        List<Event> events = IntStream.range(0, 251)
                .mapToObj(i -> Event.builder("OrderCreated")
                        .aggregate("Order", String.valueOf(i))
                        .bizKey("order-" + i)
                        .header("tenant", "north")
                        .payload(PAYLOAD)
                        .destination(Destination.of("ORDER_TOPIC", "created"))
                        .build())
                .toList();
        transactions.inTransaction(() -> store.append(events, null));
        List<ClaimedRow> claimed = store.claim(new Lease("relay-1", Duration.ofMinutes(5)), 1_000, Set.of());
        List<Settlement> settlements = new ArrayList<>(ClaimedRow.events(claimed).stream()
                .skip(1)
                .<Settlement>map(event -> new Settlement.Sent(event, "broker-1"))
                .toList());
        settlements.add(new Settlement.Dead(ClaimedRow.events(claimed).get(0), "no such topic"));
        store.settle(settlements);
        store.discard(List.of(claimed.get(0).eventId()), DECISION);
        Map<OutboxColumn, String> columns = mapping.columns();
        for (OutboxColumn time : List.of(
                OutboxColumn.CREATED_AT, OutboxColumn.OCCURRED_AT, OutboxColumn.UPDATED_AT, OutboxColumn.SENT_AT)) {
            if (columns.containsKey(time)) {
                pool.makeOlder(dialect, mapping.table(), columns.get(time));
            }
        }
        pool.makeOlder(dialect, "waybill_audit", "decided_at");
        pool.makeOlder(dialect, "waybill_attempt", "failed_at");
    }

    private static void lettersAndHandledEvents(TestPool pool, Dialect dialect) {
        Ddl.applyDeadLetters(pool.connections());
        JdbcDeadLetterStore letters = new JdbcDeadLetterStore(pool.connections());
        letters.save(
                new DeadLetter(
                        "key-1", "ORDERS", "stock", "message-1", Map.of("a", "b"), new byte[] {0, -1, 10, 127}, "boom"),
                "event-1",
                "OrderCreated");
        letters.discard(
                List.of(letters.list(DeadLetterStore.Filter.any(), 1, 0).get(0).id()), DECISION);
        pool.makeOlder(dialect, "waybill_dead_letter", "changed_at");
        Ddl.apply(pool.connections(), InboxLayouts.waybill());
        pool.execute(
                "INSERT INTO waybill_inbox (event_id, consumer_group, event_type, status, cost_ms, created_at, done_at)"
                        + " VALUES ('e-1', 'stock', 'OrderCreated', 'SUCCESS', 3, TIMESTAMP '2026-02-04 10:30:00.007', CURRENT_TIMESTAMP)");
        pool.makeOlder(dialect, "waybill_inbox", "done_at");
        pool.makeOlder(dialect, "waybill_audit", "decided_at");
    }

    /** Every row of every table with all its bytes. */
    private static List<String> contents(TestPool pool) throws SQLException {
        List<String> tables = new ArrayList<>(
                OutboxLayouts.all().stream().map(OutboxMapping::table).toList());
        tables.addAll(List.of("waybill_inbox", "waybill_dead_letter", "waybill_audit", "waybill_attempt"));
        List<String> contents = new ArrayList<>();
        try (Connection connection = pool.connections().getConnection()) {
            for (String table : tables) {
                contents.addAll(new SqlCall("SELECT * FROM " + table).query(connection, row -> {
                    StringBuilder text = new StringBuilder(table);
                    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                        Object value = row.getObject(i);
                        text.append('|')
                                .append(
                                        value instanceof byte[] b
                                                ? HexFormat.of().formatHex(b)
                                                : row.getString(i));
                    }
                    return text.toString();
                }));
            }
        }
        return contents;
    }
}
