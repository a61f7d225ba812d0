package dev.waybill.marketplace.db;

import dev.waybill.marketplace.domain.Notification;
import dev.waybill.marketplace.domain.NotificationRepository;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Notifications in {@code notifications}, one for each event and user. */
@Repository
class JdbcNotificationRepository implements NotificationRepository {

    private static final String INSERT = """
            INSERT INTO notifications (user_id, order_id, event_id, content, create_time) VALUES (?, ?, ?, ?, ?)
            """;
    private static final String OF_USER = """
            SELECT id, user_id, order_id, event_id, content, create_time
            FROM notifications WHERE user_id = ? ORDER BY id DESC LIMIT ?
            """;

    private final JdbcClient jdbc;

    JdbcNotificationRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void insert(long userId, long orderId, String eventId, String content, Instant now) {
        jdbc.sql(INSERT)
                .params(userId, orderId, eventId, content, Times.column(now))
                .update();
    }

    @Override
    public List<Notification> ofUser(long userId, int limit) {
        return jdbc.sql(OF_USER)
                .params(userId, limit)
                .query(JdbcNotificationRepository::read)
                .list();
    }

    private static Notification read(ResultSet row, int number) throws SQLException {
        return new Notification(
                row.getLong("id"),
                row.getLong("user_id"),
                row.getLong("order_id"),
                row.getString("event_id"),
                row.getString("content"),
                Times.read(row, "create_time"));
    }
}
