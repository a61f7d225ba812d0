package dev.waybill.starter.inbox;

import dev.waybill.inbox.InboxListener;
import dev.waybill.transport.SubscriptionSpec;

/** Watches subscriptions: for what wants to know where an event came from. Beans of this type are asked at start-up. */
@FunctionalInterface
public interface SubscriptionWatch {

    /** Hears what the inbox does with what this subscription receives. */
    InboxListener watch(SubscriptionSpec subscription);
}
