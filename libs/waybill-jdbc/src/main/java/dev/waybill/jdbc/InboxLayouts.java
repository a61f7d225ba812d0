package dev.waybill.jdbc;

import static dev.waybill.jdbc.InboxColumn.ATTEMPTS;
import static dev.waybill.jdbc.InboxColumn.COST_MS;
import static dev.waybill.jdbc.InboxColumn.CREATED_AT;
import static dev.waybill.jdbc.InboxColumn.DONE_AT;
import static dev.waybill.jdbc.InboxColumn.ERROR;
import static dev.waybill.jdbc.InboxColumn.EVENT_ID;
import static dev.waybill.jdbc.InboxColumn.GROUP;
import static dev.waybill.jdbc.InboxColumn.STATUS;
import static dev.waybill.jdbc.InboxColumn.TRACE_ID;
import static dev.waybill.jdbc.InboxColumn.TYPE;
import static dev.waybill.jdbc.InboxColumn.UPDATED_AT;

import java.util.List;

/** The consume logs that Waybill knows by name. Each is a starting point: rename what your table names differently. */
public final class InboxLayouts {

    private InboxLayouts() {}

    /** Waybill's own layout: everything has a column, times are UTC to the millisecond. */
    public static InboxMapping waybill() {
        return words(InboxMapping.builder("waybill"), "PROCESSING", "SUCCESS", "FAILED", "IGNORED")
                .table("waybill_inbox")
                .column(EVENT_ID, "event_id")
                .column(GROUP, "consumer_group")
                .column(TYPE, "event_type")
                .column(TRACE_ID, "trace_id")
                .column(STATUS, "status")
                .column(ATTEMPTS, "attempts")
                .column(ERROR, "last_error")
                .column(COST_MS, "cost_ms")
                .column(CREATED_AT, "created_at")
                .column(DONE_AT, "done_at")
                .timeZone(SqlTimeZone.UTC)
                .wholeSeconds(false)
                .build();
    }

    /** {@code t_mq_consume_log}: states in words, the cost of each handling. */
    public static InboxMapping tMqConsumeLog() {
        return words(InboxMapping.builder("t_mq_consume_log"), "PROCESSING", "SUCCESS", "FAILED", "IGNORED")
                .column(EVENT_ID, "event_id")
                .column(GROUP, "consumer_group")
                .column(STATUS, "status")
                .column(COST_MS, "cost_ms")
                .column(ATTEMPTS, "attempts")
                .column(ERROR, "last_error")
                .column(CREATED_AT, "created_at")
                .column(UPDATED_AT, "updated_at")
                .build();
    }

    /** {@code inbox_message}: 0 is not done, 1 is done; the message key is the event's id. */
    public static InboxMapping inboxMessage() {
        return words(InboxMapping.builder("inbox_message"), "0", "1", "0", "1")
                .column(EVENT_ID, "message_key")
                .column(GROUP, "group_name")
                .column(STATUS, "state")
                .column(ATTEMPTS, "attempts")
                .column(ERROR, "last_error")
                .column(DONE_AT, "processed_at")
                .column(CREATED_AT, "created_at")
                .column(UPDATED_AT, "updated_at")
                .build();
    }

    /** {@code event_consume_log}: no state, a row means done; one consumer per event. Failures leave no trace in it. */
    public static InboxMapping eventConsumeLog() {
        return InboxMapping.builder("event_consume_log")
                .column(EVENT_ID, "event_id")
                .column(TYPE, "event_type")
                .column(GROUP, "consumer")
                .column(CREATED_AT, "consume_time")
                .oneConsumerPerEvent(true)
                .build();
    }

    /** All of them. */
    public static List<InboxMapping> all() {
        return List.of(waybill(), tMqConsumeLog(), inboxMessage(), eventConsumeLog());
    }

    /**
     * The layout of this name.
     *
     * @throws IllegalArgumentException listing the names
     */
    public static InboxMapping named(String layout) {
        return all().stream()
                .filter(mapping -> mapping.layout().equals(layout))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no inbox layout '" + layout + "'; there are "
                        + all().stream().map(InboxMapping::layout).toList()));
    }

    private static InboxMapping.Builder words(
            InboxMapping.Builder mapping, String processing, String success, String failed, String ignored) {
        return mapping.word(InboxState.PROCESSING, processing)
                .word(InboxState.SUCCESS, success)
                .word(InboxState.FAILED, failed)
                .word(InboxState.IGNORED, ignored);
    }
}
