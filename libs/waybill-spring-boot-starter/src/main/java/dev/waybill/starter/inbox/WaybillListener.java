package dev.waybill.starter.inbox;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A bean's method that consumes events once: however often a message is delivered, and to however many processes, what the
 * method writes takes effect one time per group.
 *
 * <p>The method takes the payload, the {@link dev.waybill.message.Event} around it, or both, in any order. A payload of type
 * {@code String} is the JSON text itself; any other is read by the application's JsonMapper. It returns nothing, or a
 * {@link dev.waybill.message.HandlerResult} to say that there was nothing to do, or that the event can never be handled.
 *
 * <p>It runs inside a transaction of its own, which commits together with the inbox's row; a method
 * with REQUIRES_NEW, NOT_SUPPORTED or NEVER on it is refused at start-up. Events
 * that it publishes join that transaction, and carry the trace and the id of the event that caused them. An exception rolls
 * everything back, and the event is delivered again after a growing delay; after the last delivery it is a dead letter. A
 * payload that cannot be read is a dead letter at once. A crash at any moment leaves either everything or nothing.
 *
 * <p>Methods with the same source and group share one subscription; no two of a group may name the same type. Every text may
 * hold placeholders such as <code>${order.queue}</code>.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface WaybillListener {

    /**
     * A source that is shared with others: a RocketMQ topic, or a RabbitMQ queue with messages for several. Types that no
     * method of the group names are acknowledged and counted. Either this or {@link #queue}.
     */
    String topic() default "";

    /**
     * A source that is this group's alone: a RabbitMQ queue, or a RocketMQ topic that no other group reads. A type that no
     * method of the group names is a dead letter. Either this or {@link #topic}.
     */
    String queue() default "";

    /**
     * The consumer group: the name under which events count as handled, and RocketMQ's consumer group. After a rename, events
     * that are delivered again are handled again.
     */
    String group();

    /** The event types that this method handles. */
    String[] types();

    /** RocketMQ tags, such as {@code ORDER_CREATED || ORDER_CANCELED}; all by default. Methods of one group add up. */
    String tag() default "*";

    /** Events handled at once, a number; {@code waybill.inbox.concurrency} by default. */
    String concurrency() default "";

    /** Events handled in one transaction at most, a number; {@code waybill.inbox.batch} by default. */
    String batch() default "";
}
