package dev.waybill.starter.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.Vhost;
import dev.waybill.starter.inbox.warehouse.RunningWarehouse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On JDBC's own transaction manager. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
class ListenersOnRabbitMqAndPostgreSqlTest implements ListenerPromises {

    private RunningWarehouse running;

    @BeforeAll
    void start(PostgreSql postgreSql, RabbitMq rabbitMq) throws Exception {
        Vhost vhost = rabbitMq.freshVhost();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(vhost.amqpUri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("warehouse", "direct", true);
            for (String queue : List.of(ordersSource(), stockSource(), "dead.letters")) {
                channel.queueDeclare(queue, true, false, false, null);
                channel.queueBind(queue, "warehouse", queue);
            }
        }
        running = RunningWarehouse.start(
                postgreSql.freshDatabase(),
                Destination.of("warehouse", ordersSource()),
                Destination.of("warehouse", stockSource()),
                Map.of(
                        "spring.autoconfigure.exclude", RunningWarehouse.JPA,
                        "waybill.broker", "rabbitmq",
                        "waybill.rabbitmq.uri", vhost.amqpUri(),
                        "waybill.rabbitmq.dead-letters-of.[stock.shipping].queue", "dead.letters",
                        "waybill.rabbitmq.dead-letters.queue", "dead.letters",
                        "waybill.rabbitmq.dead-letters.exchange", "warehouse",
                        "warehouse.orders", ordersSource(),
                        "warehouse.stock", stockSource(),
                        "warehouse.stock-group", "stock",
                        "warehouse.shipping-group", "shipping"));
    }

    @AfterAll
    void stop() {
        running.close();
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
    void aHandlerThatSwallowsAFailedStatementIsNeverAcknowledgedWithoutItsEffect() throws Exception {
        Event swallowed = Event.of("OrderSwallowed", "\"" + ListenerPromises.order() + "\"");
        running.toOrders(swallowed, 1);
        running.until(() -> assertThat(running.letters(swallowed)).hasSize(1));
        assertThat(running.calls(swallowed)).isEqualTo(4);
        assertThat(running.reserved(swallowed.payload())).isZero();
    }
}
