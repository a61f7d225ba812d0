package dev.waybill.starter.inbox;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.StartUpException;
import dev.waybill.store.StoreException;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * What the application's listeners consume. Starts last, when everything that a handler may need runs, and stops first,
 * before the relay and the pools. An application without listeners has no subscriptions and needs no table.
 */
public final class InboxSubscriptions implements SmartLifecycle, SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(InboxSubscriptions.class);

    private final ListenerSearch search;
    private final InboxProperties properties;
    private final Supplier<InboxAssembly> parts;
    private @Nullable List<Subscriber> found;
    private volatile Map<SubscriptionSpec, Lifecycle> subscriptions = Map.of();
    private @Nullable InboxAssembly assembly;
    private volatile boolean running;

    InboxSubscriptions(ListenerSearch search, InboxProperties properties, Supplier<InboxAssembly> parts) {
        this.search = search;
        this.properties = properties;
        this.parts = parts;
    }

    @Override
    public void afterSingletonsInstantiated() {
        subscribers(); // a mistake shows now
    }

    /** Every subscription of this process. */
    public List<SubscriptionSpec> specs() {
        return subscribers().stream().map(Subscriber::spec).toList();
    }

    private synchronized List<Subscriber> subscribers() {
        List<Subscriber> known = found;
        if (known == null) {
            known = Subscribers.of(search.find(), InboxOptions.checked(properties));
            found = known;
        }
        return known;
    }

    /** Whether this subscription receives. */
    public boolean isReceiving(SubscriptionSpec spec) {
        Lifecycle subscription = subscriptions.get(spec);
        return subscription != null && subscription.isRunning();
    }

    @Override
    public synchronized void start() {
        if (!subscribers().isEmpty()) {
            try {
                InboxAssembly known = assembled();
                subscriptions.values().forEach(Lifecycle::start);
                known.sweeper().start();
            } catch (StoreException e) {
                throw refused(e);
            } catch (TransportException e) {
                throw new StartUpException(
                        "waybill.broker",
                        "A subscription must not start as it is set up: " + e.getMessage() + ".",
                        "Change that setting of the broker or of the @WaybillListener; where RabbitMQ's dead letters go is"
                                + " said by waybill.rabbitmq.dead-letters.queue.",
                        e);
            }
        }
        running = true;
    }

    private InboxAssembly assembled() {
        InboxAssembly known = assembly;
        if (known == null) {
            InboxAssembly made = parts.get();
            Map<SubscriptionSpec, Lifecycle> subscribed = new LinkedHashMap<>();
            subscribers().forEach(subscriber -> subscribed.put(subscriber.spec(), made.subscribe(subscriber)));
            subscriptions = subscribed;
            assembly = made;
            known = made;
        }
        return known;
    }

    private static RuntimeException refused(StoreException e) {
        return e.reason() == StoreException.Reason.MISCONFIGURED
                ? new StartUpException(
                        "waybill.inbox.ddl",
                        "The inbox table cannot be used: " + e.getMessage() + ".",
                        "Set waybill.inbox.ddl=apply to create what is missing, or create it with the statements that"
                                + " waybill.inbox.ddl=print logs; for a table of your own set waybill.inbox.layout and"
                                + " waybill.inbox.table.",
                        e)
                : e;
    }

    @Override
    public synchronized void stop() {
        running = false;
        InboxAssembly known = assembly;
        if (known == null) {
            return;
        }
        known.sweeper().stop();
        Duration deadline = properties.stopDeadline();
        if (!StopTogether.within(deadline, subscriptions.values())) {
            log.warn(
                    "[Inbox] Stop reached waybill.inbox.stop-deadline={} with handlers under way; their events are"
                            + " delivered again",
                    deadline);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
