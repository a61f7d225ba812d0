package dev.waybill.marketplace.db;

import dev.waybill.marketplace.domain.Fulfillment;
import dev.waybill.marketplace.domain.FulfillmentRepository;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Fulfilments in {@code fulfillments}, whose key is the order's id. */
@Repository
class JdbcFulfillmentRepository implements FulfillmentRepository {

    private static final String INSERT =
            "INSERT INTO fulfillments (order_id, event_id, status, create_time) VALUES (?, ?, ?, ?)";
    private static final String FIND =
            "SELECT order_id, event_id, status, create_time FROM fulfillments WHERE order_id = ?";

    private final JdbcClient jdbc;

    JdbcFulfillmentRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void insert(Fulfillment fulfillment) {
        jdbc.sql(INSERT)
                .params(
                        fulfillment.orderId(),
                        fulfillment.eventId(),
                        fulfillment.status(),
                        Times.column(fulfillment.createTime()))
                .update();
    }

    @Override
    public Optional<Fulfillment> find(long orderId) {
        return jdbc.sql(FIND)
                .param(orderId)
                .query(JdbcFulfillmentRepository::read)
                .optional();
    }

    private static Fulfillment read(ResultSet row, int number) throws SQLException {
        return new Fulfillment(
                row.getLong("order_id"),
                row.getString("event_id"),
                row.getString("status"),
                Times.read(row, "create_time"));
    }
}
