package dev.waybill.order.messaging;

import dev.waybill.order.domain.OrderEventPublisher;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Events are published through the outbox unless a context brings another publisher. */
@Configuration(proxyBeanMethods = false)
class MessagingConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OrderEventPublisher orderEventPublisher(Outbox outbox, PayloadWriter payloads) {
        return new OutboxOrderEventPublisher(outbox, payloads);
    }
}
