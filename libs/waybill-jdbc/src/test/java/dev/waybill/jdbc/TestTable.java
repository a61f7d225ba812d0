package dev.waybill.jdbc;

import dev.waybill.testkit.OutboxFixture.ForeignRow;
import dev.waybill.testkit.OutboxFixture.Traits;

/** What the tests know about each layout beyond its mapping: how others write into it, and what it can do. */
enum TestTable {
    WAYBILL(
            OutboxLayouts.waybill(),
            "INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload)"
                    + " VALUES ('old-%1$d', 'OrderCreated', {now}, '{\"orderNo\":\"OLD%1$d\"}')",
            "INSERT INTO waybill_outbox (event_id, event_type, occurred_at, headers, payload)"
                    + " VALUES ('bad', 'OrderCreated', {now}, 'not json', '{}')"),
    /** Where the table has no default times. */
    WAYBILL_IN_PARTITIONS(
            OutboxLayouts.waybill(),
            "INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, due_at, created_at)"
                    + " VALUES ('old-%1$d', 'OrderCreated', {now}, '{\"orderNo\":\"OLD%1$d\"}', {now}, {now})",
            "INSERT INTO waybill_outbox (event_id, event_type, occurred_at, headers, payload, due_at, created_at)"
                    + " VALUES ('bad', 'OrderCreated', {now}, 'not json', '{}', {now}, {now})"),
    T_OUTBOX_EVENT(
            OutboxLayouts.tOutboxEvent(),
            "INSERT INTO t_outbox_event (event_id, biz_key, topic, tag, payload_json, trace_id)"
                    + " VALUES ('old-%1$d', 'OLD%1$d', 'ORDER_TOPIC', 'OrderCreated', '{\"orderNo\":\"OLD%1$d\"}', 't')",
            "INSERT INTO t_outbox_event (event_id, biz_key, topic, tag, payload_json)"
                    + " VALUES ('bad', 'bad', 'ORDER_TOPIC', '', '{}')"),
    OUTBOX_EVENT(
            OutboxLayouts.outboxEvent(),
            "INSERT INTO outbox_event (biz_key, event_type, payload, status)"
                    + " VALUES ('OLD%1$d', 'OrderCreated', '{\"orderNo\":\"OLD%1$d\"}', 0)",
            "INSERT INTO outbox_event (biz_key, event_type, payload, headers, status)"
                    + " VALUES ('bad', 'OrderCreated', '{}', '[1]', 0)"),
    OUTBOX_EVENTS(
            OutboxLayouts.outboxEvents(),
            "INSERT INTO outbox_events (event_id, event_type, aggregate_type, aggregate_id, payload, status,"
                    + " create_time, update_time) VALUES ('old-%1$d', 'OrderCreated', 'Order', %1$d,"
                    + " '{\"orderNo\":\"OLD%1$d\"}', 'NEW', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)",
            "INSERT INTO outbox_events (event_id, event_type, aggregate_type, aggregate_id, payload, status,"
                    + " create_time, update_time) VALUES ('bad', 'OrderCreated', 'Order', 1,"
                    + " '{oops', 'NEW', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)"),
    EVENTS(
            OutboxLayouts.ledgerEvents(),
            "INSERT INTO events (publisher_app, topic, event_type, biz_key, payload, headers, status)"
                    + " VALUES ('shop', 'ORDER_TOPIC', 'OrderCreated', 'OLD%1$d', '{\"orderNo\":\"OLD%1$d\"}',"
                    + " '{\"tags\":\"ORDER_CREATED\"}', 1)",
            "INSERT INTO events (publisher_app, topic, event_type, biz_key, payload, headers, status)"
                    + " VALUES ('shop', 'ORDER_TOPIC', 'OrderCreated', 'bad', '{}', '[1]', 1)");

    @SuppressWarnings("ImmutableEnumChecker") // a mapping does not change
    final OutboxMapping mapping;

    private final String foreign;
    final String unreadable;

    TestTable(OutboxMapping mapping, String foreign, String unreadable) {
        this.mapping = mapping;
        this.foreign = foreign;
        this.unreadable = unreadable;
    }

    String foreignInsert(int number) {
        return foreign.replace("%1$d", String.valueOf(number));
    }

    ForeignRow foreignRow(int number) {
        return new ForeignRow("OrderCreated", "{\"orderNo\":\"OLD" + number + "\"}");
    }

    Traits traits(Dialect dialect) {
        boolean keepsText = dialect != Dialect.MYSQL; // MySQL's JSON type stores the meaning, not the text
        int attemptTable = 2_000;
        return switch (this) {
            case WAYBILL, WAYBILL_IN_PARTITIONS ->
                new Traits(true, false, true, true, 2_000, true, false, true, true, false);
            case T_OUTBOX_EVENT -> new Traits(true, true, false, true, attemptTable, true, false, true, true, false);
            case OUTBOX_EVENT -> new Traits(false, false, true, false, 512, keepsText, false, false, true, false);
            case OUTBOX_EVENTS -> new Traits(false, true, false, false, attemptTable, true, false, true, false, false);
            case EVENTS -> new Traits(true, false, true, false, 512, keepsText, true, true, true, true);
        };
    }
}
