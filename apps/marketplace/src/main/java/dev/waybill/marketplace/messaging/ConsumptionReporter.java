package dev.waybill.marketplace.messaging;

import dev.waybill.inbox.InboxListener;
import dev.waybill.inbox.RefusalTexts;
import dev.waybill.message.Event;
import dev.waybill.message.LogText;
import dev.waybill.starter.inbox.SubscriptionListenerFactory;
import dev.waybill.transport.SubscriptionSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Logs repeats and failed deliveries with the frozen messages; the library says the same in English. */
@Component
class ConsumptionReporter implements SubscriptionListenerFactory, RefusalTexts {

    static final String REPEATED = "事件已处理，忽略重复消息";
    static final String FAILED = "消息消费失败";
    static final String UNSUPPORTED = "事件类型不支持";

    private static final Logger log = LoggerFactory.getLogger(ConsumptionReporter.class);

    @Override
    public String unsupportedType(String eventType) {
        return UNSUPPORTED + ": " + eventType;
    }

    @Override
    public InboxListener listenerFor(SubscriptionSpec subscription) {
        return new InboxListener() {
            @Override
            public void repeated(Event event, String group) {
                log.info("[{}] {} {}", group, REPEATED, keys(event));
            }

            @Override
            public void failed(Event event, String group, int attempt, String error) {
                log.warn("[{}] {} {} attempt={}", group, FAILED, keys(event), attempt);
            }

            private String keys(Event event) {
                return "eventId=" + LogText.token(event.eventId()) + " traceId=" + LogText.token(event.traceId())
                        + " type=" + LogText.token(event.type()) + " queue=" + subscription.source();
            }
        };
    }
}
