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
import org.jspecify.annotations.Nullable;

/**
 * Durable exchanges, queues and bindings that an application wants to be there.
 *
 * <p>Promises: declaring again changes nothing. What the broker has under the same name with another type or other arguments is
 * left as it is, and the exception names it and the argument. What the broker refuses keeps nothing else from being
 * declared, and one exception names all of it. Nothing is ever deleted: a binding that is no longer named stays.
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
        List<String> problems = new ArrayList<>();
        List<IOException> causes = new ArrayList<>();
        Channel channel = channel(connection);
        for (Declaration each : declarations) {
            try {
                each.request().on(channel);
            } catch (IOException e) {
                List<AMQP.Channel.Close> refusals = refusals(e);
                if (refusals.isEmpty()) {
                    throw e;
                }
                problems.add(each.subject() + problem(refusals.get(0)));
                causes.add(e);
                channel = channel(connection); // the broker closes the one on which it refuses
            }
        }
        channel.abort();
        if (!causes.isEmpty()) {
            TransportException refused =
                    new TransportException(Reason.BAD_SETTING, String.join("; ", problems), causes.get(0));
            causes.stream().skip(1).forEach(refused::addSuppressed);
            throw refused;
        }
    }

    private static Channel channel(Connection connection) throws IOException {
        Channel channel = connection.createChannel();
        if (channel == null) {
            throw new IOException("the broker allows no channel to declare queues on");
        }
        return channel;
    }

    private static String problem(AMQP.Channel.Close refusal) {
        String problem = switch (refusal.getReplyCode()) {
            case AMQP.PRECONDITION_FAILED -> " is there already, but not as it is declared: ";
            case AMQP.NOT_FOUND -> " cannot be declared before what it names is there: ";
            case AMQP.ACCESS_REFUSED -> " cannot be declared, because the user may not: ";
            default -> " cannot be declared: ";
        };
        return problem + refusal.getReplyText();
    }

    /** The broker's answers to declarations that a failure goes back to, each of which closed no more than a channel. */
    public static List<AMQP.Channel.Close> refusals(@Nullable Throwable failure) {
        List<AMQP.Channel.Close> refusals = new ArrayList<>();
        boolean found = false; // the client wraps one signal into another
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (!found
                    && cause instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof AMQP.Channel.Close close) {
                refusals.add(close);
                found = true;
            }
            for (Throwable other : cause.getSuppressed()) {
                refusals.addAll(refusals(other));
            }
        }
        return refusals;
    }

    /** Whether the broker has something else under the name of a declaration, which does not pass by itself. */
    public static boolean isDifference(AMQP.Channel.Close refusal) {
        return refusal.getReplyCode() == AMQP.PRECONDITION_FAILED;
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
