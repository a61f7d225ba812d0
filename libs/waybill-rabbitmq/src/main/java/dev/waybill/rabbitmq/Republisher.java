package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes what was received once more: retries, dead letters, replays. Each publish waits for its confirm,
 * which is too slow for anything but failures. Has a connection of its own, made on demand: the broker stops reading from a connection
 * that publishes during an alarm, and acknowledgements must not wait for that.
 */
final class Republisher {

    private static final Logger log = LoggerFactory.getLogger(Republisher.class);

    private static final NotConfirmed CROWDED =
            new NotConfirmed(SendFailure.ILLEGAL_MESSAGE, "its properties do not fit into a frame");

    private final RabbitMqSettings settings;
    private final RetryQueues retryQueues;
    private final Set<String> declared = new HashSet<>();
    private @Nullable ConnectionAttempt connecting;
    private @Nullable Connection connection;
    private @Nullable Channel channel;
    private boolean closed;

    /** The largest body that the broker takes, as far as it has said so on this connection. */
    private long largestBody = Long.MAX_VALUE;

    private volatile @Nullable String returned;
    private volatile @Nullable String blocked;

    Republisher(RabbitMqSettings settings, RetryQueues retryQueues) {
        this.settings = settings;
        this.retryQueues = retryQueues;
    }

    /** Lets a message come to a queue after a delay. */
    synchronized SendResult publishLater(String queue, Duration delay, BasicProperties properties, byte[] body) {
        String waiting = RetryQueues.name(queue, delay);
        SendResult result = published(queue, delay, properties, body);
        if (result instanceof NotConfirmed refused && refused.failure() == SendFailure.UNROUTABLE) {
            declared.remove(waiting); // somebody deleted it since
            result = published(queue, delay, properties, body);
        }
        return result;
    }

    private SendResult published(String queue, Duration delay, BasicProperties properties, byte[] body) {
        String waiting = RetryQueues.name(queue, delay);
        return attempt(open -> {
            if (!declared.contains(waiting)) {
                retryQueues.declare(open, queue, delay);
                declared.add(waiting);
            }
            return publish(open, "", waiting, properties, body);
        });
    }

    /** Confirmed means: in at least one queue, safely. */
    synchronized SendResult publish(String exchange, String routingKey, BasicProperties properties, byte[] body) {
        return attempt(open -> publish(open, exchange, routingKey, properties, body));
    }

    /** Puts a dead letter into a queue of its own, where a person finds it. */
    synchronized SendResult publishAside(String queue, BasicProperties properties, byte[] body) {
        return attempt(open -> {
            retryQueues.declareAside(open, queue);
            return publish(open, "", RetryQueues.aside(queue), properties, body);
        });
    }

    /**
     * Puts copies of letters at the end of their queue, together. What is not confirmed may be there all the same, unless nacked.
     *
     * @param mostNanos how long to wait for confirms, if that is less than the setting
     */
    synchronized Map<UnackedMessage, SendResult> publishAgain(
            String queue, List<UnackedMessage> letters, long mostNanos) {
        long waitMillis = Math.min(settings.sendTimeout().toMillis(), TimeUnit.NANOSECONDS.toMillis(mostNanos));
        PendingCopies copies = new PendingCopies();
        SendResult together = attempt(open -> {
            returned = null;
            open.addConfirmListener(copies);
            try {
                for (UnackedMessage letter : letters) {
                    if (letter.body.length > largestBody) {
                        copies.refuse(letter, tooLarge(letter.body));
                        continue;
                    }
                    BasicProperties properties = RepublishHeaders.forReturn(letter.properties, letter.body);
                    if (!fits(open, properties, letter.body)) {
                        properties = RepublishHeaders.forPlainReturn(letter.properties);
                    }
                    if (fits(open, properties, letter.body)) {
                        copies.add(open.getNextPublishSeqNo(), letter);
                        open.basicPublish("", queue, true, properties, letter.body);
                    } else {
                        copies.refuse(letter, CROWDED);
                    }
                }
                return confirmed(open, "", queue, Math.max(1, waitMillis)); // 0 would be without end
            } finally {
                open.removeConfirmListener(copies);
            }
        });
        if (together instanceof NotConfirmed refused && refused.failure() == SendFailure.TOO_LARGE) {
            copies.refuseTooLarge(letters, largestBody, together);
            together = new NotConfirmed(SendFailure.TOPIC_UNAVAILABLE, "sent with another: " + refused.detail());
        }
        boolean anyReturned = together instanceof NotConfirmed refused && refused.failure() == SendFailure.UNROUTABLE;
        return copies.results(letters, together, !anyReturned);
    }

    /** How many messages wait in a queue; -1 when the broker does not say. */
    synchronized long ready(String queue) {
        long[] ready = {-1};
        attempt(open -> {
            ready[0] = open.messageCount(queue);
            return new SendResult.Confirmed(null);
        });
        return ready[0];
    }

    private SendResult publish(Channel open, String exchange, String key, BasicProperties properties, byte[] body)
            throws IOException, TimeoutException, InterruptedException {
        if (body.length > largestBody) {
            return tooLarge(body);
        }
        if (!fits(open, properties, body)) {
            return CROWDED;
        }
        returned = null;
        open.basicPublish(exchange, key, true, properties, body);
        return confirmed(open, exchange, key, settings.sendTimeout().toMillis());
    }

    private SendResult confirmed(Channel open, String exchange, String key, long waitMillis)
            throws TimeoutException, InterruptedException {
        if (!open.waitForConfirms(waitMillis)) {
            abandonChannel(); // a channel goes on refusing for a full quorum queue that has room again
            return new NotConfirmed(SendFailure.NACKED, "exchange=" + exchange + " routingKey=" + key);
        }
        String why = returned; // a return comes before its confirm
        return why == null ? new SendResult.Confirmed(null) : new NotConfirmed(SendFailure.UNROUTABLE, why);
    }

    private NotConfirmed tooLarge(byte[] body) {
        return new NotConfirmed(
                SendFailure.TOO_LARGE, "body of " + body.length + " bytes, the broker's limit is " + largestBody);
    }

    /** Properties go in one frame, and the client counts a message as sent before it finds out that its frame is too large. */
    private static boolean fits(Channel open, BasicProperties properties, byte[] body) throws IOException {
        int most = open.getConnection().getFrameMax();
        try {
            int size = properties.toFrame(open.getChannelNumber(), body.length).size();
            return most == 0 || size <= most;
        } catch (IllegalArgumentException e) {
            return false; // a value that no frame can hold
        }
    }

    private SendResult attempt(Step step) {
        if (closed) {
            return new NotConfirmed(SendFailure.CONNECTION_LOST, "closed");
        }
        String alarm = blocked;
        if (alarm != null && connection != null && connection.isOpen()) {
            return new NotConfirmed(SendFailure.BLOCKED, alarm);
        }
        try {
            return step.run(open());
        } catch (TimeoutException e) {
            disconnect();
            return new NotConfirmed(SendFailure.TIMED_OUT, "no confirm in time");
        } catch (IOException | ShutdownSignalException e) {
            return lost(e);
        } catch (IllegalArgumentException e) {
            abandonChannel(); // counted by the client but never sent: no later confirm would be the right one
            return new NotConfirmed(SendFailure.ILLEGAL_MESSAGE, e.toString());
        } catch (InterruptedException e) {
            disconnect(); // a late confirm must not be taken for the next message's
            Thread.currentThread().interrupt();
            return new NotConfirmed(SendFailure.CONNECTION_LOST, "interrupted");
        }
    }

    /** A refused exchange or queue closes the channel only. */
    private NotConfirmed lost(Exception e) {
        Throwable cause = e.getCause() instanceof ShutdownSignalException ? e.getCause() : e;
        channel = null;
        if (cause instanceof ShutdownSignalException signal
                && signal.getReason() instanceof AMQP.Channel.Close close
                && connection != null
                && connection.isOpen()) {
            String detail = close.getReplyCode() + " " + close.getReplyText();
            long limit = close.getReplyCode() == AMQP.PRECONDITION_FAILED ? SizeLimit.named(detail) : -1;
            if (limit < 0) {
                return new NotConfirmed(SendFailure.TOPIC_UNAVAILABLE, detail);
            }
            largestBody = limit;
            return new NotConfirmed(SendFailure.TOO_LARGE, detail);
        }
        disconnect();
        return new NotConfirmed(SendFailure.CONNECTION_LOST, cause.toString());
    }

    private Channel open() throws IOException {
        Connection current = connection;
        if (current == null || !current.isOpen()) {
            disconnect();
            ConnectionAttempt attempt = new ConnectionAttempt(settings);
            connecting = attempt;
            current = connected(attempt);
            current.addBlockedListener(reason -> blocked = reason, () -> blocked = null);
            connection = current;
        }
        Channel open = channel;
        if (open == null || !open.isOpen()) {
            open = current.createChannel();
            if (open == null) {
                throw new IOException("the broker allows no channel");
            }
            open.confirmSelect();
            open.addReturnListener(back -> returned = back.getReplyCode() + " " + back.getReplyText() + " exchange="
                    + back.getExchange() + " routingKey=" + back.getRoutingKey());
            channel = open;
        }
        return open;
    }

    /** A broker that does not greet in time has no copy of anything, unlike one that does not confirm in time. */
    private static Connection connected(ConnectionAttempt attempt) throws IOException {
        try {
            return attempt.connect();
        } catch (TimeoutException e) {
            throw new IOException("no connection in time", e);
        }
    }

    private void abandonChannel() {
        Channel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.abort();
            } catch (IOException e) {
                disconnect();
            }
        }
    }

    private void disconnect() {
        if (connecting != null) {
            connecting.abort();
        }
        if (connection != null) {
            connection.abort(0, "", 100);
        }
        connection = null;
        channel = null;
        blocked = null;
        largestBody = Long.MAX_VALUE; // a broker that was restarted may have another
        declared.clear();
    }

    synchronized void close() {
        closed = true;
        if (connection != null && connection.isOpen()) {
            connection.abort(1_000);
            log.debug("[RabbitMqSubscriptions] Republisher closed");
        }
        disconnect();
    }

    private interface Step {
        SendResult run(Channel open) throws IOException, TimeoutException, InterruptedException;
    }
}
