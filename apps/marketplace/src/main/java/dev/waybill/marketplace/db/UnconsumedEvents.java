package dev.waybill.marketplace.db;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Events that were sent and of which nobody knows any more: neither consumed nor a dead letter. */
@Component
public class UnconsumedEvents {

    private static final String SEND_AGAIN = """
            UPDATE outbox_events SET status = 'NEW', next_retry_time = NULL
            WHERE status = 'SENT'
              AND NOT EXISTS (SELECT 1 FROM event_consume_log c WHERE c.event_id = outbox_events.event_id)
              AND NOT EXISTS (SELECT 1 FROM waybill_dead_letter d WHERE d.event_id = outbox_events.event_id)
            """;

    private final JdbcClient jdbc;

    UnconsumedEvents(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Lets the relay send them again; returns how many there are. Only for a broker that forgot what it had. */
    public int sendAgain() {
        return jdbc.sql(SEND_AGAIN).update();
    }
}
