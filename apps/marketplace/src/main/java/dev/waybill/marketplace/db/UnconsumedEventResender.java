package dev.waybill.marketplace.db;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Resends events that were sent but are neither consumed nor dead letters. */
@Component
public class UnconsumedEventResender {

    private static final String SEND_AGAIN = """
            UPDATE outbox_events SET status = 'NEW', next_retry_time = NULL
            WHERE status = 'SENT'
              AND NOT EXISTS (SELECT 1 FROM event_consume_log c WHERE c.event_id = outbox_events.event_id)
              AND NOT EXISTS (SELECT 1 FROM waybill_dead_letter d WHERE d.event_id = outbox_events.event_id)
            """;

    private final JdbcClient jdbc;

    UnconsumedEventResender(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Makes them due for the relay again; returns how many. Only for the memory broker, which loses its messages with the process. */
    public int sendAgain() {
        return jdbc.sql(SEND_AGAIN).update();
    }
}
