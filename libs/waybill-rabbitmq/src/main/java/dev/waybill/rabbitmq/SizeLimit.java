package dev.waybill.rabbitmq;

import dev.waybill.transport.SendFailure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The largest body that goes out. Starts with the setting and learns from the broker: a broker with a smaller limit
 * closes the channel over a larger message, and every other message on it would suffer again and again.
 */
final class SizeLimit {

    private static final Logger log = LoggerFactory.getLogger(SizeLimit.class);

    /** AMQP has no code for this case; without these words the close is treated like any other. */
    private static final Pattern REFUSED = Pattern.compile("message size (\\d+) .*max size (\\d+)");

    private volatile int limit;

    SizeLimit(int limit) {
        this.limit = limit;
    }

    /** The broker's limit, if it closed a channel because of a message's size; otherwise -1. */
    static long named(String detail) {
        Matcher matcher = REFUSED.matcher(detail);
        return matcher.find() ? Long.parseLong(matcher.group(2)) : -1;
    }

    int bytes() {
        return limit;
    }

    /** Whether the broker closed a channel because of a message's size. Then the culprit is failed here, alone. */
    boolean refused(String detail, List<PendingSend> outstanding) {
        Matcher matcher = REFUSED.matcher(detail);
        if (!matcher.find()) {
            return false;
        }
        long size = Long.parseLong(matcher.group(1));
        for (PendingSend send : outstanding) {
            if (send.message.body().length == size) {
                limit = (int) Math.min(limit, Long.parseLong(matcher.group(2)));
                log.warn("[RabbitMqTransport] Size limit lowered to the broker's bytes={}", limit);
                send.fail(SendFailure.TOO_LARGE, detail);
                return true;
            }
        }
        return false;
    }
}
