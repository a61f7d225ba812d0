package dev.waybill.order;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.InboxLayouts;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ShippedTables;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

/** The service's migration spells out tables whose DDL Waybill ships; both must make the same tables. */
@Servers(Server.MARIADB)
class MigrationMatchesShippedDdlTest {

    private static final List<String> SHARED =
            List.of("t_outbox_event", "t_mq_consume_log", "waybill_attempt", "waybill_audit", "waybill_dead_letter");

    @Test
    void onH2() throws SQLException {
        compare(ShippedTables.h2("order_migrated"), ShippedTables.h2("order_shipped"), "h2");
    }

    @Test
    void onMariaDb(MariaDb mariaDb) throws SQLException {
        compare(ShippedTables.in(mariaDb.freshDatabase()), ShippedTables.in(mariaDb.freshDatabase()), "mysql");
    }

    private static void compare(DataSource migrated, DataSource shipped, String folder) throws SQLException {
        Flyway.configure()
                .dataSource(migrated)
                .locations("classpath:dev/waybill/order/db/" + folder)
                .load()
                .migrate();
        Ddl.apply(shipped, OutboxLayouts.tOutboxEvent());
        Ddl.apply(shipped, InboxLayouts.tMqConsumeLog());
        Ddl.applyDeadLetters(shipped);
        ShippedTables.assertSame(SHARED, migrated, shipped);
    }
}
