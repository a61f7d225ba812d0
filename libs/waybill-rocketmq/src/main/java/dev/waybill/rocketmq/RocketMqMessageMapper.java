package dev.waybill.rocketmq;

import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.message.TraceParent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * An event as RocketMQ carries it: KEYS is the event id, TAGS the destination's tag. Event headers become user properties
 * under their own names, beside {@code traceId}, {@code traceparent}, {@code bizKey}, {@code eventType} and {@code
 * schemaVersion}, which win over a header of the same name. Blank values cannot be properties and are left out; the
 * envelope has them.
 *
 * @param properties user properties
 * @param size bytes that the message takes in a batch
 * @param objection why RocketMQ can never carry it, or null
 */
record RocketMqMessageMapper(
        Map<String, String> properties, int size, @Nullable String objection) {

    /** Beside those that the client itself refuses. */
    private static final Set<String> RESERVED = Set.of(
            MessageConst.PROPERTY_INNER_NUM,
            MessageConst.PROPERTY_INNER_BASE,
            MessageConst.PROPERTY_INNER_MULTI_DISPATCH,
            MessageConst.PROPERTY_TRANSACTION_ID,
            MessageConst.PROPERTY_TRANSACTION_CHECK_TIMES,
            MessageConst.PROPERTY_TRANS_OFFSET,
            MessageConst.PROPERTY_CHECK_IMMUNITY_TIME_IN_SECONDS,
            MessageConst.PROPERTY_FORWARD_QUEUE_ID,
            MessageConst.PROPERTY_REDIRECT,
            MessageConst.PROPERTY_TIMER_ROLL_LABEL,
            MessageConst.PROPERTY_TRACE_CONTEXT);

    /** The broker counts properties in a short, and adds some of its own. */
    private static final int PROPERTIES_LIMIT = Short.MAX_VALUE - 1024;

    /** Lengths and flags around a message in a batch, and the properties that the client adds to each. */
    private static final int FRAME = 22 + 128;

    static RocketMqMessageMapper of(Message message) {
        Event event = message.event();
        Map<String, String> properties = new TreeMap<>();
        event.headers().forEach((name, value) -> putUnlessBlank(properties, name, value));
        putUnlessBlank(properties, "traceId", event.traceId());
        putUnlessBlank(properties, TraceParent.HEADER, TraceParent.of(event));
        putUnlessBlank(properties, "bizKey", event.bizKey());
        putUnlessBlank(properties, "eventType", event.type());
        properties.put("schemaVersion", Integer.toString(event.schemaVersion()));

        int propertyBytes = bytes(event.eventId()) + bytes(message.destination().tag());
        String objection = topicObjection(message.destination().topic());
        for (Map.Entry<String, String> property : properties.entrySet()) {
            propertyBytes += bytes(property.getKey()) + bytes(property.getValue()) + 2;
            if (objection == null) {
                objection = propertyObjection(property.getKey(), property.getValue());
            }
        }
        if (objection == null) {
            objection = textObjection(message, propertyBytes);
        }
        return new RocketMqMessageMapper(properties, FRAME + propertyBytes + message.body().length, objection);
    }

    org.apache.rocketmq.common.message.Message fill(Message message) {
        var filled = new org.apache.rocketmq.common.message.Message(
                message.destination().topic(),
                message.destination().tag(),
                message.event().eventId(),
                message.body());
        properties.forEach(filled::putUserProperty);
        return filled;
    }

    private static @Nullable String topicObjection(String topic) {
        try {
            Validators.checkTopic(topic);
            Validators.isNotAllowedSendTopic(topic);
            return null;
        } catch (MQClientException e) {
            return e.getErrorMessage();
        }
    }

    private static @Nullable String propertyObjection(String name, String value) {
        if (MessageConst.STRING_HASH_SET.contains(name)
                || RESERVED.contains(name)
                || name.startsWith(MessageConst.PROPERTY_TRANSIENT_PREFIX)) {
            return "header " + name + " is RocketMQ's own";
        }
        return separated(name) || separated(value)
                ? "header " + name + " has a character that separates properties (U+0001 or U+0002)"
                : null;
    }

    private static @Nullable String textObjection(Message message, int propertyBytes) {
        if (separated(message.destination().tag())) {
            return "the tag has a character that separates properties (U+0001 or U+0002)";
        }
        if (separated(message.event().eventId())) {
            return "the event id has a character that separates properties (U+0001 or U+0002)";
        }
        if (propertyBytes > PROPERTIES_LIMIT) {
            return "properties of " + propertyBytes + " bytes, limit " + PROPERTIES_LIMIT;
        }
        return message.body().length == 0 ? "RocketMQ takes no empty body" : null;
    }

    private static boolean separated(String text) {
        return text.indexOf(MessageDecoder.NAME_VALUE_SEPARATOR) >= 0
                || text.indexOf(MessageDecoder.PROPERTY_SEPARATOR) >= 0;
    }

    private static void putUnlessBlank(Map<String, String> properties, String name, @Nullable String value) {
        if (value != null && !value.isBlank() && !name.isBlank()) {
            properties.put(name, value);
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
