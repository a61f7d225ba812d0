package dev.waybill.starter;

import dev.waybill.jdbc.InboxColumn;
import dev.waybill.jdbc.InboxState;
import dev.waybill.starter.OutboxProperties.DdlMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The inbox: how {@code @WaybillListener} methods consume, and the table of handled events.
 *
 * @param enabled Whether the listeners of this process consume. Switched off, nothing is subscribed and no table is needed.
 * @param dataSource Bean name of the DataSource that holds the table; the outbox's by default, so that a handler's events
 *     join its transaction.
 * @param transactionManager Bean name of the transaction manager that handlers run under. Needed only when several manage
 *     the inbox's DataSource and none is primary.
 * @param layout The table's layout: waybill, t_mq_consume_log, inbox_message or event_consume_log.
 * @param table The table's name, with its schema where needed, where it is not the layout's own.
 * @param columns Column names that differ from the layout's; an empty name says that the table has no such column.
 * @param words Status words that differ from the layout's.
 * @param ddl Whether start-up creates missing tables.
 * @param concurrency Events handled at once, per subscription.
 * @param prefetch Messages that the broker may deliver before earlier ones are acknowledged.
 * @param batch Events handled in one transaction at most; above 1, an exception makes them go one by one.
 * @param retryDelays Waits before the second, third and so on delivery of an event whose handler failed. After the last one
 *     it is a dead letter. RocketMQ rounds up to its own delay levels.
 * @param maxBody Larger messages are dead letters at once.
 * @param retention How long handled events are remembered, at least 7d: a repeat that comes later is handled again.
 * @param sweepInterval Pause between two deletions of rows older than the retention.
 * @param collectDeadLetters Whether the brokers' dead letters are copied into the table waybill_dead_letter, where they do not
 *     expire and can be inspected, edited, replayed and discarded.
 * @param redisShortcut A lookup in Redis before the database is asked.
 */
public record InboxProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String dataSource,
        @Nullable String transactionManager,
        @DefaultValue("waybill") String layout,
        @Nullable String table,
        @DefaultValue Map<InboxColumn, String> columns,
        @DefaultValue Map<InboxState, String> words,
        @DefaultValue("none") DdlMode ddl,
        @DefaultValue("4") int concurrency,
        @DefaultValue("20") int prefetch,
        @DefaultValue("1") int batch,
        @DefaultValue({"5s", "30s", "2m"}) List<Duration> retryDelays,
        @DefaultValue("4MB") DataSize maxBody,
        @DefaultValue("14d") Duration retention,
        @DefaultValue("1h") Duration sweepInterval,
        @DefaultValue("true") boolean collectDeadLetters,
        @DefaultValue RedisShortcut redisShortcut) {

    /**
     * The shortcut. It recognises repeats without a query; the database decides about everything that Redis does not know, and
     * while Redis is down.
     *
     * @param enabled Whether Redis is asked first whether an event was handled. Needs dev.waybill:waybill-redis.
     * @param uri Redis' address, such as redis://host:6379.
     * @param keyPrefix What keys begin with; the application's name, group and event id follow. A yes from Redis is believed, so
     *     no other service and no other environment may use the same keys.
     * @param ttl How long Redis remembers an event.
     * @param timeout How long a lookup may take; then the database is asked.
     */
    public record RedisShortcut(
            @DefaultValue("false") boolean enabled,
            @Nullable String uri,
            @DefaultValue("waybill:done:") String keyPrefix,
            @DefaultValue("1d") Duration ttl,
            @DefaultValue("50ms") Duration timeout) {}
}
