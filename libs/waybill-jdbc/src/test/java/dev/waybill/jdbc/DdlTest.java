package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DdlTest {

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void everyLayoutHasADdlThatNamesEveryMappedColumn(Dialect dialect) {
        for (OutboxMapping mapping : OutboxLayouts.all()) {
            String ddl = Ddl.print(dialect, mapping);

            assertThat(ddl)
                    .contains("CREATE TABLE IF NOT EXISTS " + mapping.table() + " (")
                    .contains("waybill_audit");
            mapping.columns().values().forEach(column -> assertThat(ddl).containsPattern("\\n  " + column + " "));
            assertThat(ddl).contains("waybill_attempt");
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void everyInboxLayoutHasADdlThatNamesEveryMappedColumn(Dialect dialect) {
        for (InboxMapping mapping : InboxLayouts.all()) {
            String ddl = Ddl.print(dialect, mapping);

            assertThat(ddl).contains("CREATE TABLE IF NOT EXISTS " + mapping.table() + " (");
            mapping.columns().values().forEach(column -> assertThat(ddl).containsPattern("\\n  " + column + " "));
        }
        assertThat(Ddl.printDeadLetters(dialect))
                .contains("waybill_dead_letter (")
                .contains("waybill_audit (");
    }

    @Test
    void theMarketplacesConsumeLogHasExactlyItsFrozenColumns() {
        assertThat(Ddl.print(Dialect.MARIADB, InboxLayouts.eventConsumeLog())
                        .lines()
                        .map(line -> line.strip().replaceAll("\\s+", " ")))
                .containsExactly(
                        "CREATE TABLE IF NOT EXISTS event_consume_log (",
                        "id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,",
                        "event_id VARCHAR(64) NOT NULL UNIQUE,",
                        "event_type VARCHAR(64) NOT NULL,",
                        "consumer VARCHAR(64) NOT NULL,",
                        "consume_time DATETIME NOT NULL",
                        ") ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;");
    }

    @Test
    void aRenamedConsumeLogIsCreatedUnderItsName() throws SQLException {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:renamedInbox;DB_CLOSE_DELAY=-1");
        try (var connection = h2.getConnection()) {
            connection.createStatement().execute("CREATE SCHEMA shop");
        }
        for (InboxMapping layout : InboxLayouts.all()) {
            InboxMapping mapping =
                    layout.toBuilder().table("shop.seen_" + layout.layout()).build();
            Ddl.apply(h2, mapping);
            Ddl.apply(h2, mapping);
            JdbcInboxStore.builder(h2).mapping(mapping).build().verify("stock");
        }
    }

    @Test
    void theMarketplacesTableHasExactlyItsFrozenColumns() {
        String ddl = Ddl.print(Dialect.MARIADB, OutboxLayouts.outboxEvents());

        assertThat(ddl.substring(0, ddl.indexOf("KEY idx_status_time"))
                        .lines()
                        .skip(1)
                        .map(line -> line.strip().replaceAll("\\s+", " ")))
                .containsExactly(
                        "id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,",
                        "event_id VARCHAR(64) NOT NULL UNIQUE,",
                        "event_type VARCHAR(64) NOT NULL,",
                        "aggregate_type VARCHAR(64) NOT NULL,",
                        "aggregate_id BIGINT NOT NULL,",
                        "payload TEXT NOT NULL,",
                        "status VARCHAR(16) NOT NULL,",
                        "retry_count INT NOT NULL DEFAULT 0,",
                        "next_retry_time DATETIME NULL,",
                        "create_time DATETIME NOT NULL,",
                        "update_time DATETIME NOT NULL,",
                        "");
        assertThat(ddl)
                .contains("KEY idx_status_time (status, next_retry_time)")
                .contains("KEY idx_aggregate (aggregate_type, aggregate_id)");
    }

    @Test
    void aRenamedTableIsCreatedUnderItsName() throws SQLException {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:renamed;DB_CLOSE_DELAY=-1");
        try (var connection = h2.getConnection()) {
            connection.createStatement().execute("CREATE SCHEMA shop");
        }
        OutboxMapping mapping =
                OutboxLayouts.outboxEvent().toBuilder().table("shop.letters").build();
        Ddl.apply(h2, mapping);
        Ddl.apply(h2, mapping);

        JdbcTransactions transactions = new JdbcTransactions(h2);
        var store = JdbcOutboxStore.builder(h2)
                .callerConnection(transactions)
                .mapping(mapping)
                .build();
        store.verify();
        assertThat(store.backlog().waiting()).isZero();
    }

    @Test
    void theToolPrintsAndHelps() {
        assertThat(tool(0, "--dialect", "postgresql", "--layout", "waybill"))
                .contains("WHERE status IN ('NEW', 'RETRY')");
        assertThat(tool(0, "--dialect", "mysql", "--table", "shop.box")).contains("EXISTS shop.box (");
        assertThat(tool(0, "--dialect", "h2", "--inbox", "inbox_message")).contains("uk_group_msg");
        assertThat(tool(0, "--dialect", "h2", "--inbox", "waybill", "--table", "shop.seen"))
                .contains("EXISTS shop.seen (");
        assertThat(tool(0, "--dialect", "mysql", "--layout", "dead_letters")).contains("LONGBLOB");
        assertThat(tool(0, "--dialect", "mysql", "--layout", "alerts")).contains("EXISTS waybill_alert (");
        assertThat(tool(0, "--dialect", "mysql", "--table", "shop.box", "--with", "search_indexes"))
                .isEqualTo("""
                        CREATE INDEX box_idx_key ON shop.box (biz_key);
                        CREATE INDEX box_idx_trace ON shop.box (trace_id);
                        """);
        assertThat(tool(2, "--dialect", "mysql", "--with", "everything")).contains("--with is search_indexes");
        assertThat(tool(2, "--dialect", "mysql", "--inbox", "nothing")).contains("no inbox layout 'nothing'");
        assertThat(tool(0, "--help")).contains("--layout").contains("--inbox");
        assertThat(tool(2, "--dialect", "oracle")).contains("no dialect 'oracle'");
        assertThat(tool(2, "--layout", "waybill")).contains("--dialect is missing");
    }

    private static String tool(int exit, String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertThat(DdlTool.run(List.of(arguments), out, out)).isEqualTo(exit);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theDocsListEveryLayoutAndColumn() throws java.io.IOException {
        String docs = java.nio.file.Files.readString(java.nio.file.Path.of("../../docs/tables.md"));
        for (OutboxMapping mapping : OutboxLayouts.all()) {
            assertThat(docs).contains(TablesPage.layoutRow(mapping));
            for (OutboxColumn column : OutboxColumn.values()) {
                assertThat(docs).contains(TablesPage.columnRow(column));
            }
        }
        for (InboxMapping mapping : InboxLayouts.all()) {
            assertThat(docs).contains(TablesPage.inboxLayoutRow(mapping));
        }
        for (InboxColumn column : InboxColumn.values()) {
            assertThat(docs).contains(TablesPage.inboxColumnRow(column));
        }
        for (Dialect dialect : Dialect.values()) {
            assertThat(docs.toLowerCase(Locale.ROOT)).contains(dialect.key());
        }
    }
}
