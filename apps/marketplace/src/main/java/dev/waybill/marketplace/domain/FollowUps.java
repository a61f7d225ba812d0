package dev.waybill.marketplace.domain;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What follows from events: fulfilments and notifications, stored. Writes belong to the caller's transaction. */
public interface FollowUps {

    void start(Fulfillment fulfillment);

    Optional<Fulfillment> fulfillmentOf(long orderId);

    void notify(long userId, long orderId, String eventId, String content, Instant now);

    /** A user's, newest first. */
    List<Notification> of(long userId, int limit);
}
