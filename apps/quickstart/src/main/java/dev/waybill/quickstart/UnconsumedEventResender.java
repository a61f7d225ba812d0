package dev.waybill.quickstart;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Resends events that an earlier process sent and that were not consumed: the broker inside the JVM loses its messages when the
 * process ends. Consumers recognise an event that they have handled before.
 */
final class UnconsumedEventResender {

    private static final String SENT = "SELECT event_id FROM t_outbox_event WHERE status = 'SENT'";
    private static final String DONE = "SELECT event_id FROM t_mq_consume_log WHERE status IN ('SUCCESS', 'IGNORED')";
    private static final String DEAD_LETTERED = "SELECT event_id FROM waybill_dead_letter WHERE event_id IS NOT NULL";
    private static final String SEND_AGAIN =
            "UPDATE t_outbox_event SET status = 'NEW', next_retry_at = NULL, sent_at = NULL"
                    + " WHERE event_id = ? AND status = 'SENT'";

    private UnconsumedEventResender() {}

    /** Resends what one service published and the other has neither consumed nor stored as a dead letter; returns how many. */
    static int sendAgain(ApplicationContext publisher, ApplicationContext consumer) {
        JdbcTemplate published = publisher.getBean(JdbcTemplate.class);
        JdbcTemplate consumed = consumer.getBean(JdbcTemplate.class);
        Set<String> open = new HashSet<>(published.queryForList(SENT, String.class));
        consumed.queryForList(DONE, String.class).forEach(open::remove);
        consumed.queryForList(DEAD_LETTERED, String.class).forEach(open::remove);
        published.batchUpdate(
                SEND_AGAIN, open.stream().map(id -> new Object[] {id}).toList());
        return open.size();
    }

    /** Both directions between orders and inventory. The marketplace consumes its own events and resends them itself. */
    static int sendAgain(Map<Service, ? extends ApplicationContext> services) {
        ApplicationContext orders = Objects.requireNonNull(services.get(Service.ORDER));
        ApplicationContext inventory = Objects.requireNonNull(services.get(Service.INVENTORY));
        return sendAgain(orders, inventory) + sendAgain(inventory, orders);
    }
}
