package dev.waybill.inventory.db;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ShippedTables;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** The service's migrations apply the DDL that Waybill ships, beside tables of their own; both must make the same tables. */
@Servers(Server.MARIADB)
class MigrationMatchesShippedDdlTest {

    private static final List<String> SHARED =
            List.of("t_outbox_event", "t_mq_consume_log", "waybill_attempt", "waybill_audit", "waybill_dead_letter");

    /** As in the profile {@code real}. */
    private static final String REAL_TABLE_OPTIONS = "ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin";

    @Test
    void onH2() throws SQLException {
        compare(ShippedTables.h2("inventory_migrated"), ShippedTables.h2("inventory_shipped"), "");
    }

    @Test
    void onMariaDb(MariaDb mariaDb) throws SQLException {
        compare(
                ShippedTables.in(mariaDb.freshDatabase()),
                ShippedTables.in(mariaDb.freshDatabase()),
                REAL_TABLE_OPTIONS);
    }

    private static void compare(DataSource migrated, DataSource shipped, String tableOptions) throws SQLException {
        Flyway.configure()
                .dataSource(migrated)
                .locations("classpath:dev/waybill/inventory/db/migration")
                .placeholders(Map.of("tableOptions", tableOptions))
                .javaMigrations(new WaybillTables())
                .load()
                .migrate();
        Ddl.apply(shipped, OutboxLayouts.tOutboxEvent());
        Ddl.apply(shipped, InboxLayouts.tMqConsumeLog());
        Ddl.applyDeadLetters(shipped);
        ShippedTables.assertSame(SHARED, migrated, shipped);
    }
}
