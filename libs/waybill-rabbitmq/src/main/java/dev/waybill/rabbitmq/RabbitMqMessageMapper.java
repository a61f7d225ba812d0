package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.message.TraceParent;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event's properties as AMQP carries them. Event headers keep their own names; where one is called like a
 * header of ours, ours wins, except {@code traceparent}, which the event may bring.
 */
final class RabbitMqMessageMapper {

    /** Carries a send's stamp, so that a return names exactly one of several messages with the same id. */
    static final String STAMP = "waybill-seq";

    private static final int SHORT_STRING = 255;
    private static final int SMALLEST_FRAME = 4096;
    private static final int PERSISTENT = 2;

    /** Bytes for fixed fields, types, lengths and the stamp, generously. */
    private static final int FIXED = 200;

    private RabbitMqMessageMapper() {}

    static BasicProperties of(Event event, long stamp) {
        Map<String, Object> headers = new HashMap<>(16);
        headers.putAll(event.headers());
        putIfPresent(headers, "traceId", event.traceId());
        putIfPresent(headers, TraceParent.HEADER, TraceParent.of(event));
        putIfPresent(headers, "bizKey", event.bizKey());
        headers.put("schemaVersion", event.schemaVersion());
        headers.put(STAMP, stamp);
        return new BasicProperties.Builder()
                .messageId(event.eventId())
                .type(event.type())
                .deliveryMode(PERSISTENT)
                .contentType("application/json")
                .contentEncoding("utf-8")
                .timestamp(Date.from(event.occurredAt()))
                .headers(headers)
                .build();
    }

    /** The stamp of a returned message, or 0. */
    static long stampOf(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        return headers != null && headers.get(STAMP) instanceof Long stamp ? stamp : 0;
    }

    /** What AMQP cannot carry, in words; null when it can carry everything in frames of this size. */
    static @Nullable String objection(Message message, int frameMax) {
        Event event = message.event();
        if (tooLong(message.destination().topic())) {
            return "exchange name longer than 255 bytes";
        }
        if (tooLong(message.destination().tag())) {
            return "routing key longer than 255 bytes";
        }
        if (tooLong(event.eventId())) {
            return "event id longer than 255 bytes";
        }
        if (tooLong(event.type())) {
            return "event type longer than 255 bytes";
        }
        for (String name : event.headers().keySet()) {
            if (tooLong(name)) {
                return "header name longer than 255 bytes: " + name.substring(0, 40) + "…";
            }
            if (name.equals("CC") || name.equals("BCC")) {
                return "header " + name + " means routing to RabbitMQ and cannot carry a text";
            }
        }
        if (frameMax == 0 || 3 * characters(event) + FIXED <= SMALLEST_FRAME) {
            return null;
        }
        int size = sizeOf(event);
        return size > frameMax ? "headers of " + size + " bytes, a frame has " + frameMax : null;
    }

    private static void putIfPresent(Map<String, Object> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    /** Cheap, for the many events whose headers are far from any limit. */
    private static int characters(Event event) {
        int characters =
                event.eventId().length() + event.type().length() + length(event.traceId()) + length(event.bizKey());
        for (Map.Entry<String, String> header : event.headers().entrySet()) {
            characters += 6 + header.getKey().length() + header.getValue().length();
        }
        return characters;
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static int sizeOf(Event event) {
        int size = FIXED + utf8(event.eventId()) + utf8(event.type()) + utf8(event.traceId()) + utf8(event.bizKey());
        for (Map.Entry<String, String> header : event.headers().entrySet()) {
            size += 6 + utf8(header.getKey()) + utf8(header.getValue());
        }
        return size;
    }

    private static boolean tooLong(String text) {
        return text.length() > SHORT_STRING / 3 && utf8(text) > SHORT_STRING;
    }

    private static int utf8(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
