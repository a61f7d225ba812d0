package dev.waybill.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The settings of a transport, checked. */
record RabbitMqSettings(
        String name,
        ConnectionFactory factory,
        List<Address> addresses,
        Duration sendTimeout,
        Duration firstReconnect,
        Duration lastReconnect,
        TopologyDeclarer topology) {

    /** What no broker exceeds. The client hangs up over a larger body, and would do so again after each new connection. */
    private static final int LARGEST_BODY = 512 * 1024 * 1024;

    RabbitMqSettings {
        positive(sendTimeout, "sendTimeout");
        positive(firstReconnect, "firstReconnect");
        if (lastReconnect.compareTo(firstReconnect) < 0) {
            throw new TransportException(Reason.BAD_SETTING, "lastReconnect is shorter than firstReconnect", null);
        }
        factory = prepared(factory, Math.toIntExact(sendTimeout.toMillis()));
        addresses = List.copyOf(addresses);
    }

    /** Where the broker is and as whom we log in, for logs and health: never the password. */
    String endpoint() {
        return addresses.stream().map(Address::toString).collect(Collectors.joining(",")) + " user="
                + factory.getUsername() + " vhost=" + factory.getVirtualHost();
    }

    long sendTimeoutNanos() {
        return sendTimeout.toNanos();
    }

    /** How often the clock is looked at: often enough that a time-out is late by a fortieth at most. */
    long tickNanos() {
        return Math.max(1_000_000, Math.min(sendTimeout.toNanos() / 40, 250_000_000));
    }

    long firstReconnectNanos() {
        return firstReconnect.toNanos();
    }

    long lastReconnectNanos() {
        return lastReconnect.toNanos();
    }

    /** A copy of the user's factory: what they set counts, except what this transport does itself or must bound. */
    private static ConnectionFactory prepared(ConnectionFactory theirs, int timeoutMillis) {
        ConnectionFactory ours = theirs.clone();
        // The client would revive channels with new numbers under the old messages; we must know what was lost.
        ours.setAutomaticRecoveryEnabled(false);
        ours.setTopologyRecoveryEnabled(false);
        ours.useBlockingIo();
        ours.setMaxInboundMessageBodySize(LARGEST_BODY);
        if (theirs.getExceptionHandler().getClass() == DefaultExceptionHandler.class) {
            ours.setExceptionHandler(new QuietExceptionHandler());
        }
        ours.setConnectionTimeout(atMost(theirs.getConnectionTimeout(), timeoutMillis));
        ours.setHandshakeTimeout(atMost(theirs.getHandshakeTimeout(), timeoutMillis));
        ours.setChannelRpcTimeout(atMost(theirs.getChannelRpcTimeout(), timeoutMillis));
        if (!theirs.isSSL() && theirs.getSocketFactory() == null) {
            ours.setSocketFactory(new CorkedSocket.Factory());
        }
        return ours;
    }

    /** A lost connection is reported once, by the publisher, and not with the reading thread's stack as well. */
    private static final class QuietExceptionHandler extends DefaultExceptionHandler {

        @Override
        public void handleUnexpectedConnectionDriverException(Connection connection, Throwable cause) {}
    }

    /** Zero means "no limit" to the client. */
    private static int atMost(int theirs, int limit) {
        return theirs == 0 ? limit : Math.min(theirs, limit);
    }

    private static void positive(Duration duration, String setting) {
        if (duration.isNegative() || duration.isZero()) {
            throw new TransportException(Reason.BAD_SETTING, setting + " must be longer than nothing", null);
        }
    }
}
