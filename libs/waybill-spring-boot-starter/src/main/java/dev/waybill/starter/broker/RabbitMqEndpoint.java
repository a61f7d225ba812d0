package dev.waybill.starter.broker;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.rabbitmq.TopologyDeclarer;
import dev.waybill.starter.StartUpException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where the broker is, and who said so.
 *
 * @param source the setting, for the log
 * @param declarer what the application itself wants declared there
 */
record RabbitMqEndpoint(ConnectionFactory factory, List<Address> addresses, String source, TopologyDeclarer declarer) {

    static final String URI_PROPERTY = "waybill.rabbitmq.uri";

    /** As {@code waybill.rabbitmq.uri} says. */
    static RabbitMqEndpoint ofUri(String uris, String source) {
        try {
            ConnectionFactory factory = null;
            List<Address> addresses = new ArrayList<>();
            for (String uri : uris.split(",", -1)) {
                ConnectionFactory one = new ConnectionFactory();
                one.setUri(new URI(uri.strip()));
                addresses.add(new Address(one.getHost(), one.getPort()));
                factory = factory == null ? one : factory;
            }
            return new RabbitMqEndpoint(
                    factory == null ? new ConnectionFactory() : factory, addresses, source, TopologyDeclarer.NOTHING);
        } catch (URISyntaxException | GeneralSecurityException | IllegalArgumentException e) {
            // neither the value nor the parser's message is repeated, because both hold the password
            throw new StartUpException(
                    URI_PROPERTY,
                    URI_PROPERTY + " is no AMQP URI.",
                    "Set " + URI_PROPERTY + " to amqp(s)://user:password@host:port/vhost.",
                    null);
        }
    }

    /** The same place, with something to declare. */
    RabbitMqEndpoint declaring(TopologyDeclarer more) {
        return new RabbitMqEndpoint(factory, addresses, source, more);
    }

    /** For the log: everything that tells two brokers apart, and no password. */
    String description() {
        String hosts = addresses.stream().map(Address::getHost).collect(Collectors.joining(","));
        String ports =
                addresses.stream().map(each -> String.valueOf(port(each))).collect(Collectors.joining(","));
        return "host=" + hosts + " port=" + ports + " virtualHost=" + factory.getVirtualHost() + " user="
                + factory.getUsername() + " tls=" + factory.isSSL() + " setBy=" + source;
    }

    private int port(Address address) {
        return ConnectionFactory.portOrDefault(address.getPort(), factory.isSSL());
    }
}
