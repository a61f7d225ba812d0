package dev.waybill.rocketmq;

import dev.waybill.message.DeadLetter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageClientIDSetter;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.apache.rocketmq.common.message.MessageExt;
import org.jspecify.annotations.Nullable;

/**
 * Which properties a message keeps when it is published again: everything that the sender said, its keys, tags and unique id. What the broker
 * and the client note for themselves stays behind.
 */
final class RocketMqProperties {

    /** What the last receiver said. */
    static final String ERROR = "x-waybill-error";

    /** How often the message was replayed. Tells its later dead letters from its earlier ones. */
    static final String REPLAY = "x-waybill-replay";

    /** Says that the one byte of the body stands for none: RocketMQ's client sends no empty body, though others may. */
    static final String EMPTY_BODY = "x-waybill-empty-body";

    /** How often a letter was set aside because its sink did not take it. */
    static final String POSTPONED = "x-waybill-postponed";

    private static final byte[] NOTHING = new byte[0];
    private static final byte[] STAND_IN = {' '};

    private static final Set<String> OURS = Set.of(
            MessageConst.PROPERTY_KEYS,
            MessageConst.PROPERTY_TAGS,
            MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX,
            MessageConst.PROPERTY_SHARDING_KEY);

    /** The client's own list lacks these. */
    private static final Set<String> THEIRS = Set.of(
            EMPTY_BODY,
            POSTPONED,
            MessageConst.PROPERTY_CRC32,
            MessageConst.PROPERTY_DLQ_ORIGIN_TOPIC,
            MessageConst.PROPERTY_DLQ_ORIGIN_MESSAGE_ID,
            MessageConst.PROPERTY_ORIGIN_GROUP,
            MessageConst.PROPERTY_BORN_HOST,
            MessageConst.PROPERTY_BORN_TIMESTAMP,
            MessageConst.PROPERTY_INNER_MULTI_QUEUE_OFFSET,
            MessageConst.PROPERTY_TIMER_ROLL_LABEL,
            MessageConst.PROPERTY_TRANSACTION_ID,
            MessageConst.PROPERTY_TRANSACTION_CHECK_TIMES);

    private static final int ERROR_LIMIT = 500;
    private static final int LONGEST_ID = 128;
    private static final int LARGEST_COUNT = 1_000_000;

    private RocketMqProperties() {}

    static Map<String, String> of(MessageExt message) {
        Map<String, String> texts = new LinkedHashMap<>();
        Map<String, String> properties = message.getProperties();
        if (properties == null) {
            return texts;
        }
        properties.forEach((name, value) -> {
            if (isKept(name)) {
                texts.put(name, value);
            }
        });
        return texts;
    }

    /** The event id, where the message is one of ours; else what the client called it, or where the broker keeps it. */
    static String messageId(MessageExt message) {
        String keys = message.getKeys();
        return keys == null || keys.isBlank() ? uniqueId(message) : keys;
    }

    /** Not every client gives its messages an id. The place at the broker is as unique, and the same at every delivery. */
    static String uniqueId(MessageExt message) {
        String given = MessageClientIDSetter.getUniqID(message);
        return given == null || given.isBlank() ? message.getMsgId() : given;
    }

    /** Never null, which is what the client makes of an empty body. */
    static byte[] body(MessageExt message) {
        byte[] body = message.getBody();
        return body == null || message.getProperty(EMPTY_BODY) != null ? NOTHING : body;
    }

    /** A message to a group's retry topic, which only that group reads. The consumer shows it under its own topic. */
    static Message toRetryTopic(String retryTopic, String topic, Map<String, String> texts, byte[] body) {
        Message message = new Message(retryTopic, body.length == 0 ? STAND_IN : body);
        if (body.length == 0) {
            MessageAccessor.putProperty(message, EMPTY_BODY, "true");
        }
        texts.forEach((name, value) -> {
            if (isKept(name) && !value.isEmpty()) {
                MessageAccessor.putProperty(message, name, value);
            }
        });
        MessageAccessor.putProperty(message, MessageConst.PROPERTY_RETRY_TOPIC, topic);
        return message;
    }

    static void putError(Message message, String error) {
        String text = cut(error, ERROR_LIMIT)
                .replace(MessageDecoder.NAME_VALUE_SEPARATOR, ' ')
                .replace(MessageDecoder.PROPERTY_SEPARATOR, ' ');
        if (text.isEmpty()) {
            MessageAccessor.clearProperty(message, ERROR);
        } else {
            MessageAccessor.putProperty(message, ERROR, text);
        }
    }

    /** The letter as if it had never failed, with one more replay on its count. */
    static Map<String, String> forReplay(DeadLetter letter) {
        Map<String, String> texts = new LinkedHashMap<>(letter.headers());
        texts.remove(ERROR);
        texts.put(REPLAY, Integer.toString(replays(letter.headers()) + 1));
        return texts;
    }

    static int replays(Map<String, String> texts) {
        return count(texts.get(REPLAY));
    }

    static int postponed(MessageExt message) {
        return count(message.getProperty(POSTPONED));
    }

    /** Anybody may have written it: what is no sensible count is none. */
    private static int count(@Nullable String text) {
        try {
            int number = text == null ? 0 : Integer.parseInt(text);
            return number < 0 || number > LARGEST_COUNT ? 0 : number;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static boolean isKept(String name) {
        return OURS.contains(name)
                || !(MessageConst.STRING_HASH_SET.contains(name)
                        || THEIRS.contains(name)
                        || name.startsWith(MessageConst.PROPERTY_TRANSIENT_PREFIX));
    }

    /** As much of an id as tells a person which one it is. */
    static String beginning(String id) {
        return cut(id, LONGEST_ID);
    }

    private static String cut(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
        return text.substring(0, end);
    }
}
