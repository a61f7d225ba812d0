package dev.waybill.example.plain;

import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcOutboxStore;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.memory.MemoryBroker;
import dev.waybill.memory.MemoryTransport;
import dev.waybill.message.Destination;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.Relay;
import dev.waybill.outbox.Routes;
import dev.waybill.transport.Transport;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** An order and its event, committed together and sent by a relay. */
public final class PlainJavaExample {

    private PlainJavaExample() {}

    /** Places one order, waits until its event has arrived, and prints it. */
    public static void main(String... arguments) throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1");
        MemoryBroker broker = new MemoryBroker();
        try (Relay relay = placeOrder(dataSource, new MemoryTransport(broker), "ORD-1")) {
            while (relay.isRunning() && broker.read("ORDERS").isEmpty()) {
                Thread.onSpinWait();
            }
        }
        broker.read("ORDERS")
                .forEach(delivery -> System.out.println(delivery.message().event()));
    }

    static Relay placeOrder(DataSource db, Transport broker, String orderNo) throws SQLException {
        createOrders(db);
        Routes topic = Routes.all(Destination.of("ORDERS"));
        // example:plain
        Ddl.apply(db, OutboxLayouts.waybill());
        var tx = new JdbcTransactions(db);
        var store = JdbcOutboxStore.builder(db).callerConnection(tx).build();
        var relay = Relay.builder().store(store).transport(broker).router(topic).build();
        var outbox = Outbox.builder().store(store).transactions(tx).relay(relay).build();
        relay.start();
        tx.run(connection -> {
            insertOrder(connection, orderNo);
            outbox.publish("OrderCreated", "{\"orderNo\":\"" + orderNo + "\"}");
        });
        // /example:plain
        return relay;
    }

    private static void createOrders(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement create =
                        connection.prepareStatement("CREATE TABLE IF NOT EXISTS orders (order_no VARCHAR(32))")) {
            create.execute();
        }
    }

    private static void insertOrder(Connection connection, String orderNo) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO orders (order_no) VALUES (?)")) {
            insert.setString(1, orderNo);
            insert.executeUpdate();
        }
    }
}
