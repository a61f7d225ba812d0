package dev.waybill.quickstart;

import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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

    private static final String MARKET_SENT = "SELECT event_id FROM outbox_events WHERE status = 'SENT'";
    private static final String MARKET_DONE = "SELECT event_id FROM event_consume_log";
    private static final String MARKET_SEND_AGAIN =
            "UPDATE outbox_events SET status = 'NEW', next_retry_time = NULL WHERE event_id = ? AND status = 'SENT'";

    private Unconsumed() {}

    /** What one service published and its consumer has neither consumed nor buried; returns how many there were. */
    static int sendAgain(Map<Service, ? extends ApplicationContext> services) {
        JdbcTemplate orders = tables(services.get(Service.ORDER));
        JdbcTemplate inventory = tables(services.get(Service.INVENTORY));
        JdbcTemplate market = tables(services.get(Service.MARKETPLACE));
        return sendAgain(orders, SENT, inventory, DONE, SEND_AGAIN)
                + sendAgain(inventory, SENT, orders, DONE, SEND_AGAIN)
                + sendAgain(market, MARKET_SENT, market, MARKET_DONE, MARKET_SEND_AGAIN);
    }

    private static int sendAgain(
            JdbcTemplate publisher, String sent, JdbcTemplate consumer, String done, String sendAgain) {
        Set<String> open = new HashSet<>(publisher.queryForList(sent, String.class));
        consumer.queryForList(done, String.class).forEach(open::remove);
        consumer.queryForList(BURIED, String.class).forEach(open::remove);
        publisher.batchUpdate(
                sendAgain, open.stream().map(id -> new Object[] {id}).toList());
        return open.size();
    }

    private static JdbcTemplate tables(@Nullable ApplicationContext service) {
        return Objects.requireNonNull(service, "every service runs by now").getBean(JdbcTemplate.class);
    }
}
