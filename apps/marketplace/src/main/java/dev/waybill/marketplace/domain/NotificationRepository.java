package dev.waybill.marketplace.domain;

import java.time.Instant;
import java.util.List;

/** Stores what users were told about their orders. Writes belong to the caller's transaction. */
public interface NotificationRepository {

    void insert(long userId, long orderId, String eventId, String content, Instant now);

    /** A user's notifications, newest first. */
    List<Notification> ofUser(long userId, int limit);
}
