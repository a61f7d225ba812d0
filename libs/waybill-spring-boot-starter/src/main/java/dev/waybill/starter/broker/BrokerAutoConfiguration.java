package dev.waybill.starter.broker;

import dev.waybill.outbox.Relay;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.WaybillProperties.Broker;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * The relay's transport and the listeners' subscriptions: those of the one broker on the class path, or of the one that
 * {@code waybill.broker} names.
 */
@AutoConfiguration(afterName = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration")
@ConditionalOnClass(Relay.class)
@EnableConfigurationProperties(WaybillProperties.class)
@Import({RabbitMqConfiguration.class, RocketMqConfiguration.class, MemoryConfiguration.class})
public final class BrokerAutoConfiguration {

    private static final String PROPERTY = "waybill.broker";

    @Bean
    @ConditionalOnProperty(name = "waybill.relay.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean(Transport.class)
    Transport waybillTransport(ObjectProvider<BrokerFactory> factories, WaybillProperties properties) {
        return choose(factories.stream().toList(), properties.broker()).transport();
    }

    /** Made when the first listener asks for it. */
    @Bean
    @Lazy
    @ConditionalOnProperty(name = "waybill.inbox.enabled", matchIfMissing = true)
    @ConditionalOnMissingBean(Subscriptions.class)
    Subscriptions waybillSubscriptions(ObjectProvider<BrokerFactory> factories, WaybillProperties properties) {
        return choose(factories.stream().toList(), properties.broker()).subscriptions();
    }

    private static BrokerFactory choose(List<BrokerFactory> factories, @Nullable Broker wanted) {
        if (wanted != null) {
            return factories.stream()
                    .filter(factory -> factory.broker() == wanted)
                    .findFirst()
                    .orElseThrow(() -> absent(wanted));
        }
        if (factories.size() == 1) {
            return factories.get(0);
        }
        List<String> found = factories.stream()
                .map(factory -> word(factory.broker()))
                .sorted()
                .toList();
        throw found.isEmpty()
                ? new StartUpException(
                        PROPERTY,
                        "Waybill found no broker's transport on the class path.",
                        "Add one of dev.waybill:waybill-rabbitmq, waybill-rocketmq or waybill-memory; or, where another"
                                + " process relays and nothing listens here, set waybill.relay.enabled=false.",
                        null)
                : new StartUpException(
                        PROPERTY,
                        "Waybill found transports for several brokers on the class path: " + found + ".",
                        "Set " + PROPERTY + " to the one that this application uses.",
                        null);
    }

    private static StartUpException absent(Broker wanted) {
        return new StartUpException(
                PROPERTY,
                PROPERTY + "=" + word(wanted) + ", but its transport is not on the class path.",
                "Add dev.waybill:waybill-" + word(wanted) + ", or change " + PROPERTY + ".",
                null);
    }

    private static String word(Broker broker) {
        return broker.name().toLowerCase(Locale.ROOT);
    }
}
