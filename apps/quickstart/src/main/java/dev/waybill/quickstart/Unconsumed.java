package dev.waybill.quickstart;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The broker inside the JVM forgets everything when the process ends, so that events which were sent but not consumed would
 * be lost with it. At the next start they are sent again; their consumers know repeats.
 */
final class Unconsumed {

    private static final String SENT = "SELECT event_id FROM t_outbox_event WHERE status = 'SENT'";
    private static final String DONE = "SELECT event_id FROM t_mq_consume_log WHERE status IN ('SUCCESS', 'IGNORED')";
    private static final String BURIED = "SELECT event_id FROM waybill_dead_letter WHERE event_id IS NOT NULL";
    private static final String SEND_AGAIN =
            "UPDATE t_outbox_event SET status = 'NEW', next_retry_at = NULL, sent_at = NULL"
                    + " WHERE event_id = ? AND status = 'SENT'";

    private Unconsumed() {}

    /** What one service published and the other has neither consumed nor buried; returns how many there were. */
    static int sendAgain(ApplicationContext publisher, ApplicationContext consumer) {
        JdbcTemplate published = publisher.getBean(JdbcTemplate.class);
        JdbcTemplate consumed = consumer.getBean(JdbcTemplate.class);
        Set<String> open = new HashSet<>(published.queryForList(SENT, String.class));
        consumed.queryForList(DONE, String.class).forEach(open::remove);
        consumed.queryForList(BURIED, String.class).forEach(open::remove);
        published.batchUpdate(
                SEND_AGAIN, open.stream().map(id -> new Object[] {id}).toList());
        return open.size();
    }

    /** Both directions; the marketplace listens to itself, and sees to it by itself. */
    static int sendAgain(Map<Service, ? extends ApplicationContext> services) {
        ApplicationContext orders = Objects.requireNonNull(services.get(Service.ORDER));
        ApplicationContext inventory = Objects.requireNonNull(services.get(Service.INVENTORY));
        return sendAgain(orders, inventory) + sendAgain(inventory, orders);
    }
}
