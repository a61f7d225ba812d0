package dev.waybill.jdbc;

import static dev.waybill.jdbc.OutboxColumn.AGGREGATE_ID;
import static dev.waybill.jdbc.OutboxColumn.AGGREGATE_TYPE;
import static dev.waybill.jdbc.OutboxColumn.ATTEMPTS;
import static dev.waybill.jdbc.OutboxColumn.BIZ_KEY;
import static dev.waybill.jdbc.OutboxColumn.BROKER_ID;
import static dev.waybill.jdbc.OutboxColumn.CREATED_AT;
import static dev.waybill.jdbc.OutboxColumn.DUE;
import static dev.waybill.jdbc.OutboxColumn.ERROR;
import static dev.waybill.jdbc.OutboxColumn.EVENT_ID;
import static dev.waybill.jdbc.OutboxColumn.HEADERS;
import static dev.waybill.jdbc.OutboxColumn.KEY;
import static dev.waybill.jdbc.OutboxColumn.OCCURRED_AT;
import static dev.waybill.jdbc.OutboxColumn.PAYLOAD;
import static dev.waybill.jdbc.OutboxColumn.SCHEMA_VERSION;
import static dev.waybill.jdbc.OutboxColumn.SENT_AT;
import static dev.waybill.jdbc.OutboxColumn.SOURCE;
import static dev.waybill.jdbc.OutboxColumn.STATUS;
import static dev.waybill.jdbc.OutboxColumn.TAG;
import static dev.waybill.jdbc.OutboxColumn.TOKEN;
import static dev.waybill.jdbc.OutboxColumn.TOPIC;
import static dev.waybill.jdbc.OutboxColumn.TRACE_ID;
import static dev.waybill.jdbc.OutboxColumn.TYPE;
import static dev.waybill.jdbc.OutboxColumn.UPDATED_AT;
import static dev.waybill.jdbc.OutboxColumn.VERSION;

import java.util.List;

/** The table layouts that Waybill knows by name. Each is a starting point: rename what your table names differently. */
public final class OutboxLayouts {

    private OutboxLayouts() {}

    /** Waybill's own layout: everything has a column, times are UTC to the millisecond, one index serves every claim. */
    public static OutboxMapping waybill() {
        return words(OutboxMapping.builder("waybill"), "NEW", "RETRY", "SENT", "DEAD")
                .table("waybill_outbox")
                .column(EVENT_ID, "event_id")
                .column(TYPE, "event_type")
                .column(AGGREGATE_TYPE, "aggregate_type")
                .column(AGGREGATE_ID, "aggregate_id")
                .column(BIZ_KEY, "biz_key")
                .column(SCHEMA_VERSION, "schema_version")
                .column(OCCURRED_AT, "occurred_at")
                .column(TRACE_ID, "trace_id")
                .column(HEADERS, "headers")
                .column(PAYLOAD, "payload")
                .column(TOPIC, "topic")
                .column(TAG, "tag")
                .column(STATUS, "status")
                .column(ATTEMPTS, "attempts")
                .column(DUE, "due_at")
                .column(TOKEN, "claim_token")
                .column(BROKER_ID, "broker_id")
                .column(ERROR, "last_error")
                .column(SENT_AT, "sent_at")
                .column(CREATED_AT, "created_at")
                .timeZone(SqlTimeZone.UTC)
                .wholeSeconds(false)
                .parksSettled(true)
                .build();
    }

    /** {@code t_outbox_event}: topic and tag, a version as fence, no column for type and errors. */
    public static OutboxMapping tOutboxEvent() {
        return words(OutboxMapping.builder("t_outbox_event"), "NEW", "RETRY", "SENT", "DEAD")
                .column(EVENT_ID, "event_id")
                .column(BIZ_KEY, "biz_key")
                .column(TOPIC, "topic")
                .column(TAG, "tag")
                .column(PAYLOAD, "payload_json")
                .column(STATUS, "status")
                .column(ATTEMPTS, "retry_count")
                .column(DUE, "next_retry_at")
                .column(TRACE_ID, "trace_id")
                .column(VERSION, "version")
                .column(SENT_AT, "sent_at")
                .column(OCCURRED_AT, "created_at")
                .build();
    }

    /** {@code outbox_event}: numeric states, headers as JSON, the due time as fence. */
    public static OutboxMapping outboxEvent() {
        return words(OutboxMapping.builder("outbox_event"), "0", "0", "2", "3")
                .word(OutboxState.CLAIMED, "1")
                .column(KEY, "id")
                .column(BIZ_KEY, "biz_key")
                .column(TYPE, "event_type")
                .column(PAYLOAD, "payload")
                .column(HEADERS, "headers")
                .column(STATUS, "status")
                .column(ATTEMPTS, "attempts")
                .column(DUE, "next_attempt_at")
                .column(ERROR, "last_error")
                .column(BROKER_ID, "mq_msg_id")
                .column(CREATED_AT, "created_at")
                .column(UPDATED_AT, "updated_at")
                .build();
    }

    /** {@code outbox_events}: a numeric aggregate id, no column for trace, time and errors, the due time as fence. */
    public static OutboxMapping outboxEvents() {
        return words(OutboxMapping.builder("outbox_events"), "NEW", "RETRY", "SENT", "FAILED")
                .column(EVENT_ID, "event_id")
                .column(TYPE, "event_type")
                .column(AGGREGATE_TYPE, "aggregate_type")
                .column(AGGREGATE_ID, "aggregate_id")
                .column(PAYLOAD, "payload")
                .column(STATUS, "status")
                .column(ATTEMPTS, "retry_count")
                .column(DUE, "next_retry_time")
                .column(CREATED_AT, "create_time")
                .column(UPDATED_AT, "update_time")
                .build();
    }

    /** {@code events}: the key is the event's id; rows in a state before READY are not claimed. */
    public static OutboxMapping ledgerEvents() {
        return words(OutboxMapping.builder("events"), "1", "1", "3", "4")
                .word(OutboxState.CLAIMED, "2")
                .word(OutboxState.DISCARDED, "5")
                .column(KEY, "event_id")
                .keyIsEventId(true)
                .column(SOURCE, "publisher_app")
                .column(TOPIC, "topic")
                .column(TYPE, "event_type")
                .column(BIZ_KEY, "biz_key")
                .column(PAYLOAD, "payload")
                .column(HEADERS, "headers")
                .column(STATUS, "status")
                .column(ATTEMPTS, "attempts")
                .column(DUE, "next_attempt_at")
                .column(BROKER_ID, "mq_msg_id")
                .column(ERROR, "last_error")
                .column(CREATED_AT, "created_at")
                .column(UPDATED_AT, "updated_at")
                .build();
    }

    /** All of them. */
    public static List<OutboxMapping> all() {
        return List.of(waybill(), tOutboxEvent(), outboxEvent(), outboxEvents(), ledgerEvents());
    }

    /**
     * The layout of this name.
     *
     * @throws IllegalArgumentException listing the names
     */
    public static OutboxMapping named(String layout) {
        return all().stream()
                .filter(mapping -> mapping.layout().equals(layout))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no layout '" + layout + "'; there are "
                        + all().stream().map(OutboxMapping::layout).toList()));
    }

    private static OutboxMapping.Builder words(
            OutboxMapping.Builder mapping, String fresh, String retry, String sent, String dead) {
        return mapping.word(OutboxState.NEW, fresh)
                .word(OutboxState.RETRY, retry)
                .word(OutboxState.SENT, sent)
                .word(OutboxState.DEAD, dead);
    }
}
