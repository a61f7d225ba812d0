package dev.waybill.starter.broker;

import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.starter.StartUpException;
import org.jspecify.annotations.Nullable;

/**
 * One of {@code spring.rabbitmq.addresses}, read as Spring Boot reads it: {@code amqp(s)://user:password@host:port/vhost}, of
 * which everything but the host may be left out.
 *
 * @param secure what the scheme says; null without one
 */
record RabbitMqAddress(
        @Nullable Boolean secure,
        @Nullable String user,
        @Nullable String password,
        String host,
        int port,
        @Nullable String virtualHost) {

    private static final String PROPERTY = "spring.rabbitmq.addresses";

    static RabbitMqAddress parse(String text) {
        String rest = text.strip();
        Boolean secure = null;
        if (rest.startsWith("amqps://")) {
            secure = true;
            rest = rest.substring("amqps://".length());
        } else if (rest.startsWith("amqp://")) {
            secure = false;
            rest = rest.substring("amqp://".length());
        }
        String user = null;
        String password = null;
        int at = rest.lastIndexOf('@');
        if (at >= 0) {
            String credentials = rest.substring(0, at);
            int colon = credentials.indexOf(':');
            user = colon < 0 ? credentials : credentials.substring(0, colon);
            password = colon < 0 ? null : credentials.substring(colon + 1);
            rest = rest.substring(at + 1);
        }
        String virtualHost = null;
        int slash = rest.indexOf('/');
        if (slash >= 0) {
            virtualHost = slash + 1 == rest.length() ? "/" : rest.substring(slash + 1);
            rest = rest.substring(0, slash);
        }
        int colon = rest.lastIndexOf(':');
        boolean portGiven = colon > rest.lastIndexOf(']');
        return new RabbitMqAddress(
                secure,
                user,
                password,
                host(portGiven ? rest.substring(0, colon) : rest),
                portGiven ? port(rest.substring(colon + 1)) : ConnectionFactory.USE_DEFAULT_PORT,
                virtualHost);
    }

    private static String host(String text) {
        if (text.isBlank()) {
            throw refused("names no host", null);
        }
        return text;
    }

    private static int port(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw refused("has a port that is no number", e);
        }
    }

    /** The value is not repeated, because it may hold a password. */
    private static StartUpException refused(String problem, @Nullable NumberFormatException cause) {
        return new StartUpException(
                PROPERTY,
                "An address in " + PROPERTY + " " + problem + ".",
                "Set " + PROPERTY + " to host:port; several are separated by commas.",
                cause);
    }
}
