package dev.waybill.starter.broker;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.rabbitmq.RabbitMqSubscriptions;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.WaybillProperties.Broker;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * RabbitMQ at {@code waybill.rabbitmq.uri}, else by Spring AMQP's own connection factory with the settings of
 * {@code spring.rabbitmq.*}, TLS and customizers included.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RabbitMqTransport.class, ConnectionFactory.class})
class RabbitMqConfiguration {

    private static final String URI_PROPERTY = "waybill.rabbitmq.uri";

    /** Where the broker is. */
    record Endpoint(ConnectionFactory factory, List<Address> addresses) {

        static Endpoint of(ConnectionFactory factory) {
            return new Endpoint(factory, List.of(new Address(factory.getHost(), factory.getPort())));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RabbitConnectionDetails.class)
    static class BesideSpringAmqp {

        @Bean
        BrokerFactory waybillRabbitMq(
                WaybillProperties properties,
                ObjectProvider<AbstractConnectionFactory> springs,
                ObjectProvider<RabbitConnectionDetails> details) {
            return factory(properties.rabbitmq(), endpoint(springs.getIfUnique(), details.getIfUnique()));
        }

        private static @Nullable Endpoint endpoint(
                @Nullable AbstractConnectionFactory spring, @Nullable RabbitConnectionDetails details) {
            if (spring == null) {
                return null;
            }
            ConnectionFactory factory = spring.getRabbitConnectionFactory();
            return details == null
                    ? Endpoint.of(factory)
                    : new Endpoint(
                            factory,
                            details.getAddresses().stream()
                                    .map(address -> new Address(address.host(), address.port()))
                                    .toList());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails")
    static class Alone {

        @Bean
        BrokerFactory waybillRabbitMq(WaybillProperties properties) {
            return factory(properties.rabbitmq(), null);
        }
    }

    private static BrokerFactory factory(WaybillProperties.RabbitMq settings, @Nullable Endpoint springs) {
        return new BrokerFactory() {
            @Override
            public Broker broker() {
                return Broker.RABBITMQ;
            }

            @Override
            public Transport transport() {
                Endpoint endpoint = endpoint(settings.uri(), springs);
                return RabbitMqTransport.builder(endpoint.factory())
                        .addresses(endpoint.addresses())
                        .sendTimeout(settings.sendTimeout())
                        .maxMessageSize(settings.maxMessageSize())
                        .build();
            }

            @Override
            public Subscriptions subscriptions() {
                Endpoint endpoint = endpoint(settings.uri(), springs);
                RabbitMqSubscriptions.Builder subscriptions = RabbitMqSubscriptions.builder(endpoint.factory())
                        .addresses(endpoint.addresses())
                        .confirmTimeout(settings.sendTimeout());
                RabbitMqDeadLetterRoutes.of(settings).forEach(subscriptions::deadLetters);
                RabbitMqDeadLetterRoutes.ofTheRest(settings).ifPresent(subscriptions::deadLetters);
                return subscriptions.build();
            }
        };
    }

    private static Endpoint endpoint(@Nullable String uri, @Nullable Endpoint springs) {
        return uri != null && !uri.isBlank()
                ? parse(uri)
                : springs == null ? Endpoint.of(new ConnectionFactory()) : springs;
    }

    private static Endpoint parse(String uris) {
        try {
            ConnectionFactory factory = null;
            List<Address> addresses = new ArrayList<>();
            for (String uri : uris.split(",", -1)) {
                ConnectionFactory one = new ConnectionFactory();
                one.setUri(new URI(uri.strip()));
                addresses.add(new Address(one.getHost(), one.getPort()));
                factory = factory == null ? one : factory;
            }
            return new Endpoint(factory == null ? new ConnectionFactory() : factory, addresses);
        } catch (URISyntaxException | GeneralSecurityException | IllegalArgumentException e) {
            // neither the value nor the parser's message is repeated, because both hold the password
            throw new StartUpException(
                    URI_PROPERTY,
                    URI_PROPERTY + " is no AMQP URI.",
                    "Set " + URI_PROPERTY + " to amqp(s)://user:password@host:port/vhost.",
                    null);
        }
    }
}
