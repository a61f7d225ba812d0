package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.LongString;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a message carries when Waybill publishes it again. Everything that the sender said stays, except what would make
 * the broker do something else with the copy: CC and BCC route it elsewhere, an expiration would end it early, and a user
 * id must be that of the connection.
 */
final class RepublishHeaders {

    /** Which delivery the next one is, from 1. */
    static final String ATTEMPT = "x-waybill-attempt";

    /** What the last receiver said. */
    static final String ERROR = "x-waybill-error";

    /** The queue in which a dead letter failed. */
    static final String SOURCE = "x-waybill-source";

    /** How often the message was replayed. Tells its later dead letters from its earlier ones. */
    static final String REPLAY = "x-waybill-replay";

    /** Tells dead letters apart whose sender gave them no id. */
    static final String LETTER = "x-waybill-letter";

    /** The broker's own record of dead-lettering. */
    static final String DEATHS = "x-death";

    /** A quorum queue's count of redeliveries, which begins anew with a copy. */
    private static final String REDELIVERIES = "x-delivery-count";

    private static final Set<String> NOT_COPIED = Set.of("CC", "BCC", REDELIVERIES);
    private static final Set<String> OF_A_LETTER = Set.of(
            ATTEMPT,
            ERROR,
            SOURCE,
            LETTER,
            DEATHS,
            "x-first-death-queue",
            "x-first-death-reason",
            "x-first-death-exchange",
            "x-last-death-queue",
            "x-last-death-reason",
            "x-last-death-exchange");
    private static final int ERROR_LIMIT = 500;
    private static final int PERSISTENT = 2;
    private static final int BYTES_AROUND_A_VALUE = 32;

    private RepublishHeaders() {}

    /** Which delivery this is. The count is believed of what the broker brought from a retry queue; a sender may write anything. */
    static int attempt(BasicProperties properties, String queue) {
        String waitedIn = lastDeath(properties, "queue");
        return waitedIn != null && waitedIn.startsWith(RetryQueues.prefix(queue))
                ? Math.max(1, number(properties, ATTEMPT, 1))
                : 1;
    }

    static BasicProperties forRetry(BasicProperties original, int nextAttempt, String error) {
        Map<String, Object> headers = keep(original);
        headers.put(ATTEMPT, nextAttempt);
        headers.put(ERROR, cut(error));
        return copy(original, headers);
    }

    static BasicProperties forDeadLetter(BasicProperties original, String source, String error) {
        return forDeadLetter(original, source, error, List.of());
    }

    /** Without some of the sender's headers, which the error then names. */
    static BasicProperties forDeadLetter(BasicProperties original, String source, String error, List<String> leftOut) {
        Map<String, Object> headers = keep(original);
        leftOut.forEach(headers::remove);
        headers.put(ATTEMPT, attempt(original, source));
        headers.put(ERROR, cut(error));
        headers.put(SOURCE, source);
        if (original.getMessageId() == null) {
            headers.put(LETTER, UUID.randomUUID().toString());
        }
        return copy(original, headers);
    }

    static BasicProperties forReplay(BasicProperties letter) {
        Map<String, Object> headers = keep(letter);
        headers.keySet().removeAll(OF_A_LETTER);
        headers.put(REPLAY, number(letter, REPLAY, 0) + 1);
        return copy(letter, headers);
    }

    /** The same letter once more, for the end of its own queue. Names its source, should the broker drop its own record. */
    static BasicProperties forReturn(BasicProperties letter, byte[] body) {
        Map<String, Object> headers = keep(letter);
        String source = lastDeath(letter, "queue");
        if (!headers.containsKey(SOURCE) && source != null) {
            headers.put(LETTER, DeadLetterKey.of(source, letter, body));
            headers.put(SOURCE, source);
            headers.put(ERROR, String.valueOf(lastDeath(letter, "reason")));
        }
        return copy(letter, headers);
    }

    /** The same letter once more with nothing but its own headers, for one that has no room for others. */
    static BasicProperties forPlainReturn(BasicProperties letter) {
        return copy(letter, keep(letter));
    }

    /** The names of a message's headers, those of the largest values first. */
    static List<String> largestFirst(BasicProperties properties) {
        return headers(properties).entrySet().stream()
                .sorted(Comparator.comparingInt(header -> -header.getKey().length()
                        - String.valueOf(header.getValue()).length()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** About how large a message's headers are. In a loop, since a sender may nest them deeper than a stack is. */
    static long bytes(BasicProperties properties) {
        Deque<Object> values = new ArrayDeque<>();
        values.add(headers(properties));
        long bytes = 0;
        while (!values.isEmpty()) {
            Object value = values.remove();
            bytes += BYTES_AROUND_A_VALUE;
            if (value instanceof Map<?, ?> table) {
                values.addAll(table.keySet());
                table.values().forEach(each -> values.add(each == null ? "" : each));
            } else if (value instanceof List<?> list) {
                list.forEach(each -> values.add(each == null ? "" : each));
            } else if (value instanceof LongString text) {
                bytes += text.length();
            } else if (value instanceof String text) {
                bytes += text.length();
            } else if (value instanceof byte[] binary) {
                bytes += binary.length;
            }
        }
        return bytes;
    }

    static int redeliveries(BasicProperties properties) {
        return number(properties, REDELIVERIES, 0);
    }

    /** The queue in which a dead letter failed, or null if it does not say. */
    static @Nullable String source(BasicProperties letter) {
        Object ours = headers(letter).get(SOURCE);
        return ours != null ? ours.toString() : lastDeath(letter, "queue");
    }

    static @Nullable String error(BasicProperties letter) {
        Object ours = headers(letter).get(ERROR);
        return ours != null ? ours.toString() : lastDeath(letter, "reason");
    }

    /** A field of the newest entry in the broker's record; the broker keeps the newest first. */
    static @Nullable String lastDeath(BasicProperties letter, String field) {
        if (headers(letter).get(DEATHS) instanceof List<?> deaths
                && !deaths.isEmpty()
                && deaths.get(0) instanceof Map<?, ?> death) {
            Object value = death.get(field);
            return value == null ? null : value.toString();
        }
        return null;
    }

    static Map<String, Object> headers(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        return headers == null ? Map.of() : headers;
    }

    private static int number(BasicProperties properties, String name, int otherwise) {
        return headers(properties).get(name) instanceof Number number ? number.intValue() : otherwise;
    }

    private static Map<String, Object> keep(BasicProperties original) {
        Map<String, Object> headers = new HashMap<>(headers(original));
        headers.keySet().removeAll(NOT_COPIED);
        return headers;
    }

    private static BasicProperties copy(BasicProperties original, Map<String, Object> headers) {
        return original.builder()
                .headers(headers)
                .deliveryMode(PERSISTENT)
                .expiration(null)
                .userId(null)
                .build();
    }

    private static String cut(String error) {
        if (error.length() <= ERROR_LIMIT) {
            return error;
        }
        int end = Character.isHighSurrogate(error.charAt(ERROR_LIMIT - 1)) ? ERROR_LIMIT - 1 : ERROR_LIMIT;
        return error.substring(0, end);
    }
}
