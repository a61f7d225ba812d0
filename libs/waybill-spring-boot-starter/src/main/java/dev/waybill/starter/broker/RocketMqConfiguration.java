package dev.waybill.starter.broker;

import dev.waybill.rocketmq.RocketMqSubscriptions;
import dev.waybill.rocketmq.RocketMqTransport;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.WaybillProperties;
import dev.waybill.starter.WaybillProperties.Broker;
import dev.waybill.transport.Subscriptions;
import dev.waybill.transport.Transport;
import java.util.Optional;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.remoting.RPCHook;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** RocketMQ with the settings of {@code waybill.rocketmq.*}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({RocketMqTransport.class, DefaultMQProducer.class})
class RocketMqConfiguration {

    private static final String NAME_SERVER = "waybill.rocketmq.name-server";

    @Bean
    BrokerFactory waybillRocketMq(WaybillProperties properties) {
        return new BrokerFactory() {
            @Override
            public Broker broker() {
                return Broker.ROCKETMQ;
            }

            @Override
            public Transport transport() {
                return make(properties.rocketmq());
            }

            @Override
            public Subscriptions subscriptions() {
                return receive(properties.rocketmq());
            }
        };
    }

    private static Transport make(WaybillProperties.RocketMq settings) {
        RocketMqTransport.Builder transport = RocketMqTransport.builder(nameServer(settings))
                .producerGroup(settings.producerGroup())
                .sendTimeout(settings.sendTimeout())
                .maxMessageSize(settings.maxMessageSize())
                .createTopics(settings.createTopics());
        String namespace = settings.namespace();
        if (namespace != null) {
            transport.adjust(producer -> producer.setNamespaceV2(namespace));
        }
        credentials(settings).ifPresent(transport::rpcHook);
        return transport.build();
    }

    private static Subscriptions receive(WaybillProperties.RocketMq settings) {
        RocketMqSubscriptions.Builder subscriptions =
                RocketMqSubscriptions.builder(nameServer(settings)).sendTimeout(settings.sendTimeout());
        String namespace = settings.namespace();
        if (namespace != null) {
            subscriptions
                    .adjust(consumer -> consumer.setNamespaceV2(namespace))
                    .adjustProducer(producer -> producer.setNamespaceV2(namespace));
        }
        credentials(settings).ifPresent(subscriptions::rpcHook);
        return subscriptions.build();
    }

    private static Optional<RPCHook> credentials(WaybillProperties.RocketMq settings) {
        return settings.accessKey() == null || settings.secretKey() == null
                ? Optional.empty()
                : Optional.of(new AclClientRPCHook(new SessionCredentials(settings.accessKey(), settings.secretKey())));
    }

    private static String nameServer(WaybillProperties.RocketMq settings) {
        String nameServer = settings.nameServer();
        if (nameServer == null || nameServer.isBlank()) {
            throw new StartUpException(
                    NAME_SERVER,
                    "The broker is RocketMQ, but nobody said where its name servers are.",
                    "Set " + NAME_SERVER + " to host:port; several are separated by semicolons.",
                    null);
        }
        return nameServer;
    }
}
