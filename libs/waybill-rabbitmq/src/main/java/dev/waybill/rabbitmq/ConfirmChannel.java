package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.transport.SendFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One exchange's channel in confirm mode. An error that closes a channel, such as a missing exchange, then touches this
 * exchange's messages and nobody else's.
 *
 * <p>Only the writer publishes; everything else runs on the client's reading thread, in the broker's order.
 */
final class ConfirmChannel implements ConfirmListener {

    /** Told when the broker closed the channel but not the connection. */
    interface Closed {

        /** Decides about what was outstanding, oldest first. */
        void closed(ConfirmChannel channel, ShutdownSignalException cause, List<PendingSend> outstanding);
    }

    final String exchange;
    private final Channel channel;
    private final ConfirmWindow window = new ConfirmWindow();
    private final Closed listener;
    private final List<PendingSend> taken = new ArrayList<>(); // the reading thread's

    private ConfirmChannel(String exchange, Channel channel, Closed listener) {
        this.exchange = exchange;
        this.channel = channel;
        this.listener = listener;
    }

    /** A channel for this exchange; null when the connection has no channel left. */
    static @Nullable ConfirmChannel open(Connection connection, String exchange, Closed listener) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            return null;
        }
        ConfirmChannel confirming = new ConfirmChannel(exchange, channel, listener);
        channel.confirmSelect();
        channel.addConfirmListener(confirming);
        channel.addReturnListener(confirming::returned);
        channel.addShutdownListener(confirming::shutDown);
        return confirming;
    }

    boolean open() {
        return channel.isOpen();
    }

    boolean idle() {
        return window.isEmpty();
    }

    /** Gives the channel back. Only the writer publishes and only the writer retires, so nothing slips in between. */
    void retire() throws IOException {
        channel.abort(AMQP.REPLY_SUCCESS, "idle");
    }

    /** Publishes; a channel that closes meanwhile decides about the message like about every other one in it. */
    boolean publish(PendingSend send) throws IOException {
        // Into the window before it is written: the confirm may be back before basicPublish returns.
        if (!window.add(send)) {
            return false;
        }
        try {
            channel.basicPublish(
                    exchange, send.message.destination().tag(), true, send.properties, send.message.body());
        } catch (AlreadyClosedException closing) {
            // The shutdown listener comes after this and finds the message in the window.
        } catch (IllegalArgumentException e) {
            // Counted by the client but never sent: from here on its numbers are not the broker's.
            send.fail(SendFailure.ILLEGAL_MESSAGE, String.valueOf(e.getMessage()));
            channel.abort(AMQP.REPLY_SUCCESS, "count lost");
        }
        return true;
    }

    @Override
    public void handleAck(long number, boolean multiple) {
        window.take(number, multiple, taken);
        taken.forEach(PendingSend::confirm);
        taken.clear();
    }

    @Override
    public void handleNack(long number, boolean multiple) {
        window.take(number, multiple, taken);
        taken.forEach(send -> send.fail(SendFailure.NACKED, "the broker said basic.nack"));
        taken.clear();
    }

    /** The broker returns a message before it acknowledges it; the acknowledgement then comes too late to confirm. */
    private void returned(Return returned) {
        long stamp = RabbitMqMessageMapper.stampOf(returned.getProperties());
        PendingSend send = window.find(candidate -> candidate.stamp == stamp);
        if (send != null) {
            send.fail(
                    SendFailure.UNROUTABLE,
                    returned.getReplyCode() + " " + returned.getReplyText() + ", exchange " + exchange
                            + ", routing key " + returned.getRoutingKey());
        }
    }

    private void shutDown(ShutdownSignalException cause) {
        if (cause.isHardError()) {
            lose(String.valueOf(cause.getMessage()));
        } else {
            listener.closed(this, cause, window.close());
        }
    }

    /** Ends the channel for a reason that is not its own. */
    void lose(String detail) {
        window.close().forEach(send -> send.fail(SendFailure.CONNECTION_LOST, detail));
    }

    void takeExpired(long now, List<PendingSend> into) {
        window.takeExpired(now, into);
    }
}
