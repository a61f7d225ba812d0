package dev.waybill.inventory;

import static dev.waybill.inventory.RunningInventory.created;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.Redis;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.ServiceSettings;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Times are UTC, whatever the zones of the process and of its database session. */
@Servers({Server.MARIADB, Server.REDIS})
class TimesTest {

    @Test
    void aReservationsTimesAreRightWhereProcessAndSessionHaveOtherZones(MariaDb mariaDb, Redis redis) {
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
        Database database = mariaDb.freshDatabase();
        ServiceSettings settings = ServiceSettings.onDatabase(database)
                .redis(redis.url() + "/6")
                .set("waybill.broker", "memory")
                .set("spring.datasource.url", database.jdbcUrl() + "?sessionVariables=time_zone='+09:00'");
        try (RunningInventory inventory = RunningInventory.start(settings)) {
            String order = "ORD" + UUID.randomUUID();
            String sku = "SKU-" + UUID.randomUUID();
            inventory.receive(sku, 1);
            inventory.send(created(order, sku, 1));
            inventory.answer(order);
            for (String field : new String[] {"createdAt", "updatedAt"}) {
                String time = inventory
                        .get("/reservations/" + order)
                        .data()
                        .path(field)
                        .asString();
                assertThat(Instant.parse(time)).as(field).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
            }
            assertThat(inventory.count("SELECT COUNT(*) FROM t_inventory_txn"
                            + " WHERE ABS(TIMESTAMPDIFF(SECOND, created_at, UTC_TIMESTAMP())) < 60"))
                    .isEqualTo(2);
        } finally {
            TimeZone.setDefault(before);
        }
    }
}
