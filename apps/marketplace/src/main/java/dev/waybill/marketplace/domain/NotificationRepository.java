package dev.waybill.marketplace.domain;

import dev.waybill.servicekit.UtcTimes;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What users were told about their orders, in {@code notifications}, once for each event and user. */
@Repository
public class NotificationRepository {

    private static final String INSERT = """
            INSERT INTO notifications (user_id, order_id, event_id, content, create_time) VALUES (?, ?, ?, ?, ?)
            """;
    private static final String OF_USER = """
            SELECT id, user_id, order_id, event_id, content, create_time
            FROM notifications WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?
            """;

    private final JdbcClient jdbc;

    NotificationRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Belongs to the caller's transaction. */
    public void insert(long userId, long orderId, String eventId, String content, Instant now) {
        jdbc.sql(INSERT)
                .params(userId, orderId, eventId, content, UtcTimes.column(now))
                .update();
    }

    /** A user's notifications before this id, newest first. */
    public List<Notification> ofUser(long userId, long beforeId, int limit) {
        return jdbc.sql(OF_USER)
                .params(userId, beforeId, limit)
                .query((row, number) -> new Notification(
                        row.getLong("id"),
                        row.getLong("user_id"),
                        row.getLong("order_id"),
                        row.getString("event_id"),
                        row.getString("content"),
                        UtcTimes.read(row, "create_time")))
                .list();
    }
}
