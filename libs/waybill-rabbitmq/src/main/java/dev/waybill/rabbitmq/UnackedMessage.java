package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.message.LogText;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A message that is not acknowledged yet. An acknowledgement can get lost with its channel; then the broker delivers the
 * message again, on another channel. It is never given back by name, because quorum queues count that; it comes back when its
 * channel ends.
 */
final class UnackedMessage {

    private static final Logger log = LoggerFactory.getLogger(UnackedMessage.class);

    final BasicProperties properties;
    final byte[] body;
    private final Channel channel;
    private final long tag;
    private boolean alerted;

    UnackedMessage(Channel channel, long tag, BasicProperties properties, byte[] body) {
        this.channel = channel;
        this.tag = tag;
        this.properties = properties;
        this.body = body;
    }

    /** Whether the broker has taken it back, because the channel is gone. */
    boolean stale() {
        return !channel.isOpen();
    }

    /** Whether nobody was alerted to it yet. To be called by whoever has it in hand. */
    boolean firstAlert() {
        boolean first = !alerted;
        alerted = true;
        return first;
    }

    void acknowledge() {
        answer(() -> channel.basicAck(tag, false));
    }

    /** How often a quorum queue has given it out before; 0 elsewhere. */
    int redeliveries() {
        return RepublishHeaders.redeliveries(properties);
    }

    /** Lets the queue's own dead-letter exchange have it. */
    void reject() {
        answer(() -> channel.basicNack(tag, false, false));
    }

    private void answer(BrokerCall answer) {
        try {
            answer.send();
        } catch (IOException | ShutdownSignalException e) {
            log.debug(
                    "[RabbitMqSubscriptions] Answer lost, comes back eventId={}",
                    LogText.token(properties.getMessageId()),
                    LogText.thrown(e));
        }
    }

    private interface BrokerCall {
        void send() throws IOException;
    }
}
