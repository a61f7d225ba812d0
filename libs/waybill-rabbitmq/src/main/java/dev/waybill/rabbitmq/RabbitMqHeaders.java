package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Properties and headers as texts, and back. Headers keep their names. Properties are called {@code amqp-…}, and {@code
 * amqp-types} notes which headers were numbers or booleans, so that a replay sends what the sender sent. The broker's
 * record of dead-lettering is left out.
 */
final class RabbitMqHeaders {

    private static final String PREFIX = "amqp-";
    private static final String TYPE = PREFIX + "type";
    private static final String CONTENT_TYPE = PREFIX + "content-type";
    private static final String CONTENT_ENCODING = PREFIX + "content-encoding";
    private static final String CORRELATION_ID = PREFIX + "correlation-id";
    private static final String REPLY_TO = PREFIX + "reply-to";
    private static final String APP_ID = PREFIX + "app-id";
    private static final String PRIORITY = PREFIX + "priority";
    private static final String TIMESTAMP = PREFIX + "timestamp";
    private static final String TYPES = PREFIX + "types";

    private RabbitMqHeaders() {}

    static Map<String, String> of(BasicProperties properties) {
        Map<String, String> texts = new LinkedHashMap<>();
        StringJoiner types = new StringJoiner(",");
        RepublishHeaders.headers(properties).forEach((name, value) -> {
            if (value != null && !name.equals(RepublishHeaders.DEATHS)) {
                texts.put(name, value.toString());
                if (value instanceof Number || value instanceof Boolean) {
                    types.add(value.getClass().getSimpleName() + ":" + name);
                }
            }
        });
        put(texts, TYPE, properties.getType());
        put(texts, CONTENT_TYPE, properties.getContentType());
        put(texts, CONTENT_ENCODING, properties.getContentEncoding());
        put(texts, CORRELATION_ID, properties.getCorrelationId());
        put(texts, REPLY_TO, properties.getReplyTo());
        put(texts, APP_ID, properties.getAppId());
        put(texts, PRIORITY, properties.getPriority());
        Date timestamp = properties.getTimestamp();
        put(texts, TIMESTAMP, timestamp == null ? null : timestamp.toInstant().toEpochMilli());
        put(texts, TYPES, types.length() == 0 ? null : types.toString());
        return texts;
    }

    static BasicProperties toProperties(@Nullable String messageId, Map<String, String> texts) {
        Map<String, Object> headers = new HashMap<>(texts);
        headers.keySet().removeIf(name -> name.startsWith(PREFIX));
        for (String typed : texts.getOrDefault(TYPES, "").split(",", -1)) {
            int colon = typed.indexOf(':');
            String text = colon < 0 ? null : texts.get(typed.substring(colon + 1));
            if (text != null) {
                headers.put(typed.substring(colon + 1), value(typed.substring(0, colon), text));
            }
        }
        return new BasicProperties.Builder()
                .messageId(messageId)
                .headers(headers)
                .type(texts.get(TYPE))
                .contentType(texts.get(CONTENT_TYPE))
                .contentEncoding(texts.get(CONTENT_ENCODING))
                .correlationId(texts.get(CORRELATION_ID))
                .replyTo(texts.get(REPLY_TO))
                .appId(texts.get(APP_ID))
                .priority(texts.containsKey(PRIORITY) ? Integer.valueOf(texts.get(PRIORITY)) : null)
                .timestamp(
                        texts.containsKey(TIMESTAMP)
                                ? Date.from(Instant.ofEpochMilli(Long.parseLong(texts.get(TIMESTAMP))))
                                : null)
                .build();
    }

    /** Somebody may have edited the text: then it stays one. */
    private static Object value(String type, String text) {
        try {
            return switch (type) {
                case "Integer" -> Integer.valueOf(text);
                case "Long" -> Long.valueOf(text);
                case "Short" -> Short.valueOf(text);
                case "Byte" -> Byte.valueOf(text);
                case "Double" -> Double.valueOf(text);
                case "Float" -> Float.valueOf(text);
                case "Boolean" -> Boolean.valueOf(text);
                default -> text;
            };
        } catch (NumberFormatException e) {
            return text;
        }
    }

    private static void put(Map<String, String> texts, String name, @Nullable Object value) {
        if (value != null) {
            texts.put(name, value.toString());
        }
    }
}
