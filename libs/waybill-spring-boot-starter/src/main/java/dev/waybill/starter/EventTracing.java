package dev.waybill.starter;

import dev.waybill.inbox.EventHandler;
import dev.waybill.outbox.PublishInterceptor;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.Transport;

/** Makes spans of what happens to events. Without a bean of this type nothing is put around outbox, relay and inbox. */
public interface EventTracing {

    /** A span for each call that publishes. */
    PublishInterceptor publishing();

    /** The same transport, with a span for each send. */
    Transport sending(Transport transport);

    /** The same receiver, with a span for each delivery of this broker. */
    Receiver processing(String broker, Receiver receiver);

    /** The same handler; what it does belongs to its event's span, also among others in one batch. */
    EventHandler handling(EventHandler handler);
}
