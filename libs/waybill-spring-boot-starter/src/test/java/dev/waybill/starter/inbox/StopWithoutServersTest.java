package dev.waybill.starter.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.outbox.Outbox;
import dev.waybill.servers.Database;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.starter.inbox.warehouse.RunningWarehouse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application stops within its budget, and none of its threads stays, whatever is away. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Timeout(180)
class StopWithoutServersTest {

    private static final Duration BUDGET = Duration.ofSeconds(2);

    /** For closing pools and connections after the parts have stopped, on a slow machine. */
    private static final Duration CLOSING = Duration.ofSeconds(25);

    /** PostgreSQL's driver waits without end for the greeting of a silent server. */
    private static final String POOLS_OWN = ":connection-adder";

    @Test
    void withTheDatabaseSilent(PostgreSql postgreSql, RabbitMq rabbitMq) throws IOException {
        stops(postgreSql, rabbitMq, (database, broker) -> database.blackhole());
    }

    @Test
    void withTheBrokerSilent(PostgreSql postgreSql, RabbitMq rabbitMq) throws IOException {
        stops(postgreSql, rabbitMq, (database, broker) -> broker.blackhole());
    }

    @Test
    void withBothGone(PostgreSql postgreSql, RabbitMq rabbitMq) throws IOException {
        stops(postgreSql, rabbitMq, (database, broker) -> {
            database.refuse();
            broker.refuse();
        });
    }

    private interface Fault {
        void strike(FaultProxy database, FaultProxy broker);
    }

    private static void stops(PostgreSql postgreSql, RabbitMq rabbitMq, Fault fault) throws IOException {
        Database database = postgreSql.freshDatabase();
        try (RabbitMqVhost vhost = RabbitMqVhost.open(rabbitMq);
                FaultProxy toDatabase = FaultProxy.to(postgreSql);
                FaultProxy toBroker = FaultProxy.to(rabbitMq)) {
            vhost.declare("warehouse", "orders", "stock", "dead.letters");
            String vhostName = URI.create(vhost.uri()).getPath().substring(1);
            Database proxied = new Database(
                    database.name(),
                    postgreSql.jdbcUrl(toDatabase.host(), toDatabase.port(), database.name()),
                    database.user(),
                    database.password());
            RunningWarehouse warehouse = RunningWarehouse.start(
                    proxied,
                    Destination.of("warehouse", "orders"),
                    Destination.of("warehouse", "stock"),
                    Map.of(
                            "spring.datasource.hikari.connection-timeout", "2000",
                            "spring.autoconfigure.exclude", RunningWarehouse.JPA,
                            "waybill.stop-deadline", BUDGET.toMillis() + "ms",
                            "waybill.broker", "rabbitmq",
                            "waybill.rabbitmq.uri", rabbitMq.amqpUri(toBroker.host(), toBroker.port(), vhostName),
                            "waybill.rabbitmq.dead-letters.queue", "dead.letters",
                            "warehouse.orders", "orders",
                            "warehouse.stock", "stock",
                            "warehouse.stock-group", "stock",
                            "warehouse.shipping-group", "shipping"));
            publish(warehouse, "ORD-1");
            warehouse.until(() -> assertThat(warehouse.shipped("ORD-1")).hasSize(1));
            publish(warehouse, "ORD-2");
            fault.strike(toDatabase, toBroker);

            long begin = System.nanoTime();
            warehouse.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BUDGET.plus(CLOSING));

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                            .extracting(Thread::getName)
                            .noneMatch(name -> name.startsWith("waybill") && !name.endsWith(POOLS_OWN)));
        }
    }

    private static void publish(RunningWarehouse warehouse, String orderNo) {
        Consumer<Outbox> publishing = outbox -> outbox.publish(Event.builder("OrderCreated")
                .payload("{\"orderNo\":\"" + orderNo + "\",\"failures\":0}")
                .destination(Destination.of("warehouse", "orders"))
                .build());
        new TransactionTemplate(warehouse.bean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> publishing.accept(warehouse.bean(Outbox.class)));
    }
}
