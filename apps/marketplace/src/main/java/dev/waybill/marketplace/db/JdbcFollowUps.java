package dev.waybill.marketplace.db;

import dev.waybill.marketplace.domain.FollowUps;
import dev.waybill.marketplace.domain.Fulfillment;
import dev.waybill.marketplace.domain.Notification;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Fulfilments in {@code fulfillments}, one for an order; notifications in {@code notifications}. */
@Repository
class JdbcFollowUps implements FollowUps {

    private static final String START =
            "INSERT INTO fulfillments (order_id, event_id, status, create_time) VALUES (?, ?, ?, ?)";
    private static final String FULFILLMENT_OF =
            "SELECT order_id, event_id, status, create_time FROM fulfillments WHERE order_id = ?";
    private static final String NOTIFY = """
            INSERT INTO notifications (user_id, order_id, event_id, content, create_time) VALUES (?, ?, ?, ?, ?)
            """;
    private static final String OF_USER = """
            SELECT id, user_id, order_id, event_id, content, create_time
            FROM notifications WHERE user_id = ? ORDER BY id DESC LIMIT ?
            """;

    private final JdbcClient jdbc;

    JdbcFollowUps(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void start(Fulfillment fulfillment) {
        jdbc.sql(START)
                .params(
                        fulfillment.orderId(),
                        fulfillment.eventId(),
                        fulfillment.status(),
                        Times.column(fulfillment.createTime()))
                .update();
    }

    @Override
    public Optional<Fulfillment> fulfillmentOf(long orderId) {
        return jdbc.sql(FULFILLMENT_OF)
                .param(orderId)
                .query(JdbcFollowUps::readFulfillment)
                .optional();
    }

    @Override
    public void notify(long userId, long orderId, String eventId, String content, Instant now) {
        jdbc.sql(NOTIFY)
                .params(userId, orderId, eventId, content, Times.column(now))
                .update();
    }

    @Override
    public List<Notification> of(long userId, int limit) {
        return jdbc.sql(OF_USER)
                .params(userId, limit)
                .query(JdbcFollowUps::readNotification)
                .list();
    }

    private static Fulfillment readFulfillment(ResultSet row, int number) throws SQLException {
        return new Fulfillment(
                row.getLong("order_id"),
                row.getString("event_id"),
                row.getString("status"),
                Times.read(row, "create_time"));
    }

    private static Notification readNotification(ResultSet row, int number) throws SQLException {
        return new Notification(
                row.getLong("id"),
                row.getLong("user_id"),
                row.getLong("order_id"),
                row.getString("event_id"),
                row.getString("content"),
                Times.read(row, "create_time"));
    }
}
