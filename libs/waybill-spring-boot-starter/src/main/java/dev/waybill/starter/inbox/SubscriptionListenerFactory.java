package dev.waybill.starter.inbox;

import dev.waybill.inbox.InboxListener;
import dev.waybill.transport.SubscriptionSpec;

/** Makes an inbox listener for each subscription, so that it knows where an event came from. Beans of this type are used. */
@FunctionalInterface
public interface SubscriptionListenerFactory {

    /** A listener that is called for what this subscription receives. */
    InboxListener listenerFor(SubscriptionSpec subscription);
}
