package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Durable exchanges, queues and bindings that an application wants to be there.
 *
 * <p>Promises: declaring again changes nothing. What the broker has under the same name with another type or other arguments is
 * left as it is, and the exception names it and the argument. Nothing is ever deleted: a binding that is no longer named stays.
 */
public final class RabbitMqTopology implements TopologyDeclarer {

    /** One request, and what it is about. */
    private record Declaration(String subject, Request request) {}

    /** Asks the broker. */
    private interface Request {
        void on(Channel channel) throws IOException;
    }

    private final List<Declaration> declarations;

    private RabbitMqTopology(Builder builder) {
        this.declarations = List.copyOf(builder.declarations);
    }

    public static Builder builder() {
        return new Builder();
    }

    public boolean isEmpty() {
        return declarations.isEmpty();
    }

    @Override
    public void declare(Connection connection) throws IOException {
        if (isEmpty()) {
            return;
        }
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the broker allows no channel to declare queues on");
        }
        for (Declaration each : declarations) {
            try {
                each.request().on(channel);
            } catch (IOException e) {
                throw refusal(e).map(detail -> refused(each, detail, e)).orElseThrow(() -> e);
            }
        }
        channel.abort();
    }

    private static TransportException refused(Declaration declaration, AMQP.Channel.Close close, IOException cause) {
        String problem = close.getReplyCode() == AMQP.PRECONDITION_FAILED
                ? " is there already, but not as it is declared"
                : " cannot be declared";
        return new TransportException(
                Reason.BAD_SETTING, declaration.subject() + problem + ": " + close.getReplyText(), cause);
    }

    /** The broker's answer to a declaration, if that is what a failure goes back to. It closed no more than a channel. */
    public static Optional<AMQP.Channel.Close> refusal(@Nullable Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof AMQP.Channel.Close close) {
                return Optional.of(close);
            }
        }
        return Optional.empty();
    }

    /** Collects declarations; they are made in this order. */
    public static final class Builder {

        private final List<Declaration> declarations = new ArrayList<>();

        private Builder() {}

        /** A durable exchange: {@code direct}, {@code topic}, {@code fanout} or {@code headers}. */
        public Builder exchange(String name, String type) {
            return add("exchange " + name, channel -> channel.exchangeDeclare(name, type, true));
        }

        /** A durable queue; its type is an argument like the others, {@code x-queue-type}. */
        public Builder queue(String name, Map<String, Object> arguments) {
            Map<String, Object> copy = Map.copyOf(arguments);
            return add("queue " + name, channel -> channel.queueDeclare(name, true, false, false, copy));
        }

        public Builder binding(String queue, String exchange, String routingKey) {
            return add(
                    "the binding of queue " + queue + " to exchange " + exchange,
                    channel -> channel.queueBind(queue, exchange, routingKey));
        }

        private Builder add(String subject, Request request) {
            declarations.add(new Declaration(subject, request));
            return this;
        }

        public RabbitMqTopology build() {
            return new RabbitMqTopology(this);
        }
    }
}
