package dev.waybill.starter;

import dev.waybill.message.BodyFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Waybill's settings.
 *
 * @param broker The broker that the relay sends to and the listeners receive from. Needed only when more than one is on the class path.
 * @param routes Where events go that bring no destination of their own, by event type. A type with characters other than
 *     letters, digits and dashes is written in brackets.
 * @param defaultRoute Where events go whose type has no route.
 * @param stopDeadline How long a stop of the application may take, for handlers, dead letters and sends together. A fifth is
 *     kept for the relay, which writes what the broker confirmed. Handlers that are still under way are rolled back and
 *     delivered again; rows that are left become due when their leases end.
 * @param outbox The outbox table.
 * @param inbox The inbox.
 * @param relay The relay in this process.
 * @param retention How long rows stay that nobody waits for any more.
 * @param metrics What is measured at an interval.
 * @param alerts Alerts.
 * @param admin The admin API.
 * @param retry When failed sends are repeated, and when they are given up.
 * @param rabbitmq RabbitMQ.
 * @param rocketmq RocketMQ.
 * @param memory The broker inside this process.
 * @param h2 H2, where it is the database.
 */
@ConfigurationProperties("waybill")
public record WaybillProperties(
        @Nullable Broker broker,
        @DefaultValue Map<String, Route> routes,
        @Nullable Route defaultRoute,
        @DefaultValue("25s") Duration stopDeadline,
        @DefaultValue @NestedConfigurationProperty OutboxProperties outbox,
        @DefaultValue @NestedConfigurationProperty InboxProperties inbox,
        @DefaultValue Relay relay,
        @DefaultValue @NestedConfigurationProperty RetentionProperties retention,
        @DefaultValue @NestedConfigurationProperty MetricsProperties metrics,
        @DefaultValue @NestedConfigurationProperty AlertProperties alerts,
        @DefaultValue @NestedConfigurationProperty AdminProperties admin,
        @DefaultValue Retry retry,
        @DefaultValue RabbitMq rabbitmq,
        @DefaultValue RocketMq rocketmq,
        @DefaultValue Memory memory,
        @DefaultValue H2 h2) {

    /** The brokers there is a transport for. */
    public enum Broker {
        RABBITMQ,
        ROCKETMQ,
        MEMORY
    }

    /**
     * A destination.
     *
     * @param topic RocketMQ topic or RabbitMQ exchange.
     * @param tag RocketMQ tag or RabbitMQ routing key.
     */
    public record Route(
            @Nullable String topic, @DefaultValue("") String tag) {}

    /**
     * The relay.
     *
     * @param enabled Whether this process relays. Switched off, it only publishes, and another process has to relay.
     * @param batch Rows taken by a claim, 1 to 1000; up to ten times as many while there is a backlog.
     * @param pollInterval Pause between two claims from the table, which find what the hand-off after a commit did not send.
     * @param lease How long rows stay with a relay that does not renew them, at least 1s: how soon others take over after a
     *     crash.
     * @param handoffCapacity Events that may wait between commit and send; beyond it rows are claimed from the table.
     * @param maxBytes Bytes of events in memory, half for claims and half for the hand-off; beyond it rows wait in the table. A
     *     sixteenth of the heap by default, 64MB at most.
     * @param minWindow Least number of unconfirmed messages; where the window starts.
     * @param maxWindow Largest number of unconfirmed messages.
     * @param settleBatch Settlements written by one statement at most, 1 to 2000.
     * @param settleLinger How long the first settlement waits for others to fill the batch, twice as long while many come; at
     *     most a tenth of the lease.
     * @param connections Connections that the relay has for itself, so that a business pool in which none is free costs no
     *     lease; 0 shares the business pool. Where that is not a plain HikariCP pool it is shared anyway, and a line says so. One of
     *     them listens for other processes' commits on PostgreSQL.
     * @param dataSource Bean name of a DataSource for the relay's own statements, on the same database as the outbox table.
     * @param bodyFormat How an event is written into a message's body.
     */
    public record Relay(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("100") int batch,
            @DefaultValue("1s") Duration pollInterval,
            @DefaultValue("5s") Duration lease,
            @DefaultValue("4096") int handoffCapacity,
            @Nullable DataSize maxBytes,
            @DefaultValue("16") int minWindow,
            @DefaultValue("1024") int maxWindow,
            @DefaultValue("1000") int settleBatch,
            @DefaultValue("100ms") Duration settleLinger,
            @DefaultValue("5") int connections,
            @Nullable String dataSource,
            @DefaultValue("envelope") BodyFormat bodyFormat) {}

    /**
     * The policy for every type, and those of single types.
     *
     * @param first Wait before the first retry; it doubles with each.
     * @param cap Longest wait, before jitter.
     * @param jitter Share by which a wait is shorter or longer, 0 to 1.
     * @param retries Sends after the first. Then the event is DEAD.
     * @param schedule Fixed waits, one per retry, in place of the doubling ones.
     * @param types Policies of single event types; what one leaves out is the standard back-off's.
     */
    public record Retry(
            @DefaultValue("5s") Duration first,
            @DefaultValue("1h") Duration cap,
            @DefaultValue("0.2") double jitter,
            @DefaultValue("5") int retries,
            @DefaultValue List<Duration> schedule,
            @DefaultValue Map<String, TypeRetry> types) {}

    /**
     * The policy of one event type.
     *
     * @param first Wait before the first retry; it doubles with each.
     * @param cap Longest wait, before jitter.
     * @param jitter Share by which a wait is shorter or longer, 0 to 1.
     * @param retries Sends after the first. Then the event is DEAD.
     * @param schedule Fixed waits, one per retry, in place of the doubling ones.
     */
    public record TypeRetry(
            @DefaultValue("5s") Duration first,
            @DefaultValue("1h") Duration cap,
            @DefaultValue("0.2") double jitter,
            @DefaultValue("5") int retries,
            @DefaultValue List<Duration> schedule) {}

    /**
     * RabbitMQ. Without a URI, what {@code spring.rabbitmq.*} says is used, with or without Spring AMQP.
     *
     * @param uri Broker's address with credentials and virtual host; several, separated by commas, share those of the
     *     first. Wins over spring.rabbitmq.*.
     * @param sendTimeout How long a message may wait for its confirm.
     * @param maxMessageSize Largest body in bytes.
     * @param deadLetters Where the dead letters of queues go that are not named in dead-letters-of.
     * @param deadLettersOf Where the dead letters of single queues go, by queue. A queue's name with
     *     characters other than letters, digits and dashes is written in brackets.
     * @param declare Exchanges, queues and bindings that are declared at start-up.
     * @param management The broker's management interface, for metrics only.
     */
    public record RabbitMq(
            @Nullable String uri,
            @DefaultValue("10s") Duration sendTimeout,
            @DefaultValue("16777216") int maxMessageSize,
            @Nullable DeadLetters deadLetters,
            @DefaultValue Map<String, DeadLetters> deadLettersOf,
            @DefaultValue @NestedConfigurationProperty DeclareProperties declare,
            @DefaultValue Management management) {}

    /**
     * RabbitMQ's management interface.
     *
     * @param uri Address such as http://rabbitmq:15672. Without one, nothing is asked.
     * @param user A user with the tag monitoring.
     * @param password That user's password.
     * @param timeout How long one question may take.
     */
    public record Management(
            @Nullable String uri,
            @DefaultValue("") String user,
            @DefaultValue("") String password,
            @DefaultValue("2s") Duration timeout) {}

    /**
     * How a queue's dead letters reach the queue where they wait for a person.
     *
     * @param queue The queue in which the letters end up.
     * @param exchange The exchange they are published to; empty for the one that reaches the queue by its name.
     * @param routingKey The routing key they are published with; the queue's name by default.
     * @param by Whether Waybill publishes the letter, confirmed and with its error, or rejects the message and leaves it to
     *     the queue's own dead-letter exchange.
     */
    public record DeadLetters(
            @Nullable String queue,
            @DefaultValue("") String exchange,
            @Nullable String routingKey,
            @DefaultValue("publishing") By by) {

        /** Who moves a dead letter. */
        public enum By {
            /** Waybill: the letter carries the error, and one that reaches no queue comes back. */
            PUBLISHING,
            /** The broker: the letter does not carry the error, and a queue without a dead-letter exchange drops it. */
            REJECTING
        }
    }

    /**
     * RocketMQ.
     *
     * @param nameServer Name servers, separated by semicolons.
     * @param producerGroup The producer group under which this application sends.
     * @param namespace The namespace of topics and groups.
     * @param accessKey Access key, where the broker checks one.
     * @param secretKey Secret key that belongs to the access key.
     * @param sendTimeout How long a message may wait for the broker's answer.
     * @param maxMessageSize Largest body, and largest batch, in bytes; the broker's own limit is 4 MiB by default.
     * @param createTopics Whether the broker may create an unknown topic on the first message, if its own settings allow it.
     * @param figures What the brokers tell of themselves, for metrics only.
     */
    public record RocketMq(
            @Nullable String nameServer,
            @DefaultValue("waybill") String producerGroup,
            @Nullable String namespace,
            @Nullable String accessKey,
            @Nullable String secretKey,
            @DefaultValue("10s") Duration sendTimeout,
            @DefaultValue("4194304") int maxMessageSize,
            @DefaultValue("true") boolean createTopics,
            @DefaultValue Figures figures) {}

    /**
     * The brokers' own figures.
     *
     * @param enabled Whether brokers are asked for groups' lag and their disks. Where they check rights, the access key needs that
     *     of an administrator.
     * @param timeout How long one question may take.
     */
    public record Figures(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("2s") Duration timeout) {}

    /**
     * The broker inside this process.
     *
     * @param file File in which it keeps messages, groups' progress, retries and dead letters, so that they are there at the next
     *     start; none by default. One process at a time can use it.
     */
    public record Memory(@Nullable Path file) {}

    /**
     * H2.
     *
     * @param durable Whether a commit in an H2 file of spring.datasource.url survives a kill of the process; switched off, H2
     *     writes with a delay and loses what was committed last. An address that says WRITE_DELAY is left alone.
     */
    public record H2(@DefaultValue("true") boolean durable) {}
}
