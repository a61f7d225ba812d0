package dev.waybill.starter.broker;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.rabbitmq.RabbitMqTransport;
import dev.waybill.rabbitmq.TopologyDeclarer;
import dev.waybill.starter.WaybillProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * RabbitMQ at {@code waybill.rabbitmq.uri}; else by Spring AMQP's own connection factory, TLS and customizers included; else as
 * {@code spring.rabbitmq.*} says, which is read here where Spring AMQP is absent.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RabbitMqTransport.class, ConnectionFactory.class})
class RabbitMqConfiguration {

    private static final Logger log = LoggerFactory.getLogger(RabbitMqConfiguration.class);

    /** Those of spring.rabbitmq.* that say where the broker is, the most telling first. */
    private static final List<String> SPRING_PROPERTIES = List.of(
            "spring.rabbitmq.addresses",
            "spring.rabbitmq.host",
            "spring.rabbitmq.port",
            "spring.rabbitmq.virtual-host",
            "spring.rabbitmq.username");

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RabbitConnectionDetails.class)
    static class BesideSpringAmqp {

        @Bean
        RabbitMqBrokerFactory waybillRabbitMq(
                WaybillProperties properties,
                Environment environment,
                ListableBeanFactory beans,
                ObjectProvider<SslBundles> bundles) {
            WaybillProperties.RabbitMq settings = properties.rabbitmq();
            return new RabbitMqBrokerFactory(settings, () -> endpoint(settings, environment, beans, bundles));
        }

        private static RabbitMqEndpoint endpoint(
                WaybillProperties.RabbitMq settings,
                Environment environment,
                ListableBeanFactory beans,
                ObjectProvider<SslBundles> bundles) {
            AbstractConnectionFactory spring =
                    beans.getBeanProvider(AbstractConnectionFactory.class).getIfUnique();
            if (spring == null) {
                return RabbitMqConfiguration.endpoint(settings, environment, bundles);
            }
            boolean declares = hasAny(beans, Declarable.class) || hasAny(beans, Declarables.class);
            String uri = settings.uri();
            if (uri != null && !uri.isBlank()) {
                if (declares) {
                    log.warn(
                            "[RabbitMqTopology] Queue, Exchange, Binding and Declarables beans are not declared at {}:"
                                    + " Spring AMQP has its own broker; set spring.rabbitmq.* instead",
                            RabbitMqEndpoint.URI_PROPERTY);
                }
                return RabbitMqConfiguration.endpoint(settings, environment, bundles);
            }
            RabbitMqEndpoint springs = endpoint(
                    spring,
                    beans.getBeanProvider(RabbitConnectionDetails.class).getIfUnique(),
                    SettingOrigin.of(environment, SPRING_PROPERTIES).orElse("Spring AMQP's connection factory"));
            return declares
                    ? springs.declaring(
                            new SpringAmqpDeclarer(spring, () -> beans.getBeanProvider(RabbitAdmin.class).stream()))
                    : springs;
        }

        private static RabbitMqEndpoint endpoint(
                AbstractConnectionFactory spring, @Nullable RabbitConnectionDetails details, String source) {
            ConnectionFactory factory = spring.getRabbitConnectionFactory();
            List<Address> addresses = details == null
                    ? List.of(new Address(factory.getHost(), factory.getPort()))
                    : details.getAddresses().stream()
                            .map(address -> new Address(address.host(), address.port()))
                            .toList();
            return new RabbitMqEndpoint(factory, addresses, source, TopologyDeclarer.NOTHING);
        }

        private static boolean hasAny(ListableBeanFactory beans, Class<?> type) {
            return beans.getBeanNamesForType(type, true, false).length > 0;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails")
    static class Alone {

        @Bean
        RabbitMqBrokerFactory waybillRabbitMq(
                WaybillProperties properties, Environment environment, ObjectProvider<SslBundles> bundles) {
            WaybillProperties.RabbitMq settings = properties.rabbitmq();
            return new RabbitMqBrokerFactory(settings, () -> endpoint(settings, environment, bundles));
        }
    }

    /** Its answers are JSON, so it needs Jackson. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    @ConditionalOnProperty("waybill.rabbitmq.management.uri")
    static class WithManagement {

        @Bean
        RabbitMqManagement waybillRabbitMqManagement(RabbitMqBrokerFactory broker, WaybillProperties properties) {
            return new RabbitMqManagement(properties.rabbitmq(), broker::virtualHost);
        }
    }

    private static RabbitMqEndpoint endpoint(
            WaybillProperties.RabbitMq settings, Environment environment, ObjectProvider<SslBundles> bundles) {
        String uri = settings.uri();
        if (uri != null && !uri.isBlank()) {
            return RabbitMqEndpoint.ofUri(
                    uri,
                    SettingOrigin.of(environment, List.of(RabbitMqEndpoint.URI_PROPERTY))
                            .orElse(RabbitMqEndpoint.URI_PROPERTY));
        }
        return SpringRabbitSettings.endpoint(
                environment,
                bundles,
                SettingOrigin.of(environment, SPRING_PROPERTIES).orElse("nothing, spring.rabbitmq.host is not set"));
    }
}
