package dev.waybill.marketplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.marketplace.running.RunningMarket;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.servicetestkit.ServiceSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The process that sends and consumes is killed while another one takes orders. Every event takes effect once. */
@Servers({Server.MARIADB, Server.RABBITMQ})
@Tag("kill")
class KilledTest {

    private static final Duration START = Duration.ofMinutes(2);

    @Test
    void everyEventOfAnOrderTakesEffectOnceHoweverOftenItsProcessIsKilled(
            MariaDb mariaDb, RabbitMq rabbitMq, ChildJvms jvms) throws Exception {
        try (RabbitMqVhost rabbit = RabbitMqVhost.open(rabbitMq)) {
            ServiceSettings settings = rabbit.addTo(ServiceSettings.onDatabase(mariaDb.freshDatabase()))
                    .set("waybill.relay.poll-interval", "100ms");
            ServiceSettings takesOrdersOnly =
                    settings.copy().set("waybill.relay.enabled", "false").set("waybill.inbox.enabled", "false");
            try (RunningMarket market = RunningMarket.start(takesOrdersOnly)) {
                AtomicBoolean closed = new AtomicBoolean();
                CompletableFuture<Integer> customers = CompletableFuture.supplyAsync(() -> trade(market, closed));
                for (int i = 0; i < 2; i++) {
                    ChildJvm worker = worker(jvms, settings);
                    long handled = handled(market);
                    await().atMost(START).until(() -> handled(market) > handled + 20);
                    worker.kill9();
                }
                worker(jvms, settings);
                closed.set(true);
                assertThat(customers.get(60, TimeUnit.SECONDS)).isPositive();
                await().atMost(START)
                        .untilAsserted(() -> assertThat(unhandled(market)).isZero());
                assertEffects(market);
            }
        }
    }

    private static ChildJvm worker(ChildJvms jvms, ServiceSettings settings) {
        ChildJvm worker = jvms.start(ChildJvm.of(MarketplaceApplication.class)
                .jvmOptions("-XX:TieredStopAtLevel=1")
                .arguments(settings.copy().set("server.port", "0").arguments()));
        worker.waitForLine("Started MarketplaceApplication", START);
        return worker;
    }

    /** Creates orders and pays or cancels them until it is stopped; returns how many. */
    private static int trade(RunningMarket market, AtomicBoolean closed) {
        int orders = 0;
        while (!closed.get()) {
            long order = market.newOrder().id();
            market.move(order, ++orders % 3 == 0 ? "cancel" : "pay");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // no faster than two cores can follow
        }
        return orders;
    }

    private static long handled(RunningMarket market) {
        return market.count("SELECT COUNT(*) FROM event_consume_log");
    }

    private static long unhandled(RunningMarket market) {
        return market.count("SELECT COUNT(*) FROM outbox_events e WHERE e.event_type <> 'ORDER_TIMEOUT'"
                + " AND NOT EXISTS (SELECT 1 FROM event_consume_log c WHERE c.event_id = e.event_id)");
    }

    private static void assertEffects(RunningMarket market) {
        assertThat(market.count("SELECT COUNT(*) FROM fulfillments"))
                .isEqualTo(market.count("SELECT COUNT(*) FROM orders WHERE status = 'paid'"));
        assertThat(market.count(
                        "SELECT COUNT(*) FROM products p LEFT JOIN inventory_projection i ON i.product_id = p.id"
                                + " WHERE i.status IS NULL OR i.status <> p.status"))
                .isZero();
        assertThat(market.count("SELECT COUNT(*) FROM outbox_events WHERE status = 'FAILED'"))
                .isZero();
        assertThat(market.count("SELECT COUNT(*) FROM waybill_dead_letter")).isZero();
    }
}
