package dev.waybill.starter.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servicetestkit.RabbitMqVhost;
import dev.waybill.starter.inbox.warehouse.RunningWarehouse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On JDBC's own transaction manager. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
class ListenersOnRabbitMqAndPostgreSqlTest implements ListenerPromises {

    private RabbitMqVhost vhost;
    private RunningWarehouse running;

    @BeforeAll
    void start(PostgreSql postgreSql, RabbitMq rabbitMq) throws IOException {
        vhost = RabbitMqVhost.open(rabbitMq);
        vhost.declare("warehouse", ordersSource(), stockSource(), "dead.letters");
        running = RunningWarehouse.start(
                postgreSql.freshDatabase(),
                Destination.of("warehouse", ordersSource()),
                Destination.of("warehouse", stockSource()),
                Map.of(
                        "spring.autoconfigure.exclude", RunningWarehouse.JPA,
                        "waybill.broker", "rabbitmq",
                        "waybill.rabbitmq.uri", vhost.uri(),
                        "waybill.rabbitmq.dead-letters-of.[stock.shipping].queue", "dead.letters",
                        "waybill.rabbitmq.dead-letters.queue", "dead.letters",
                        "waybill.rabbitmq.dead-letters.exchange", "warehouse",
                        "warehouse.orders", ordersSource(),
                        "warehouse.stock", stockSource(),
                        "warehouse.stock-group", "stock",
                        "warehouse.shipping-group", "shipping"));
    }

    @AfterAll
    void stop() throws IOException {
        running.close();
        vhost.close();
    }

    @Override
    public RunningWarehouse running() {
        return running;
    }

    @Override
    public String ordersSource() {
        return "orders.stock";
    }

    @Override
    public String stockSource() {
        return "stock.shipping";
    }

    @Test
    void aHandlerThatSwallowsAFailedStatementIsNeverAcknowledgedWithoutItsEffect() {
        Event swallowed = Event.of("OrderSwallowed", "\"" + ListenerPromises.order() + "\"");
        running.toOrders(swallowed, 1);
        running.until(() -> assertThat(running.letters(swallowed)).hasSize(1));
        assertThat(running.calls(swallowed)).isEqualTo(4);
        assertThat(running.reserved(swallowed.payload())).isZero();
    }
}
