package dev.waybill.order.messaging;

import dev.waybill.order.domain.OrderEvents;
import dev.waybill.outbox.Outbox;
import dev.waybill.outbox.PayloadWriter;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Events go through the outbox, unless a context brings another way. */
@Configuration(proxyBeanMethods = false)
class MessagingConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OrderEvents orderEvents(Outbox outbox, PayloadWriter payloads) {
        return new OutboxOrderEvents(outbox, payloads);
    }
}
