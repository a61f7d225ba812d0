package dev.waybill.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The four tables as teams already have them, and how such a team inserts a row without knowing of Waybill. */
enum SeedLayout {
    T_OUTBOX_EVENT(
            "t_outbox_event",
            "INSERT INTO t_outbox_event (event_id, biz_key, topic, tag, payload_json, trace_id)"
                    + " VALUES ('old-%1$d', 'ORD%1$d', 'faults.events', 'order.created', '{\"orderNo\":\"ORD%1$d\"}', 't-%1$d')",
            "status = 'SENT'",
            "CONCAT_WS('|', id, status, retry_count, next_retry_at, version, sent_at)"),
    OUTBOX_EVENT(
            "outbox_event",
            "INSERT INTO outbox_event (biz_key, event_type, payload, headers, status)"
                    + " VALUES ('ORD%1$d', 'OrderCreated', '{\"orderNo\":\"ORD%1$d\"}', NULL, 0)",
            "status = 2",
            "CONCAT_WS('|', id, status, attempts, next_attempt_at, last_error, mq_msg_id, updated_at)"),
    OUTBOX_EVENTS(
            "outbox_events",
            "INSERT INTO outbox_events (event_id, event_type, aggregate_type, aggregate_id, payload, status, create_time,"
                    + " update_time) VALUES ('old-%1$d', 'ORDER_CREATED', 'Order', %1$d, '{\"orderId\":%1$d}', 'NEW', NOW(), NOW())",
            "status = 'SENT'",
            "CONCAT_WS('|', id, status, retry_count, next_retry_time, update_time)"),
    EVENTS(
            "events",
            "INSERT INTO events (publisher_app, topic, event_type, biz_key, payload, headers, status)"
                    + " VALUES ('shop', 'faults.events', 'OrderCreated', 'ORD%1$d', '{\"orderNo\":\"ORD%1$d\"}',"
                    + " '{\"tags\":\"order.created\"}', 1)",
            "status = 3",
            "CONCAT_WS('|', event_id, status, attempts, next_attempt_at, last_error, mq_msg_id, updated_at)");

    final String table;
    private final String insert;
    /** True for rows that are done. */
    final String sent;
    /** Everything about a row that a late writer could change. */
    final String fingerprint;

    SeedLayout(String table, String insert, String sent, String fingerprint) {
        this.table = table;
        this.insert = insert;
        this.sent = sent;
        this.fingerprint = fingerprint;
    }

    String ddl() {
        try (InputStream in = SeedLayout.class.getResourceAsStream("/seeds/" + table + ".sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String foreignInsert(int number) {
        return String.format(insert, number);
    }
}
