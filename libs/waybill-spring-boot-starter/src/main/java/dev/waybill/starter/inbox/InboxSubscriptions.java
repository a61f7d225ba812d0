package dev.waybill.starter.inbox;

import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.LogText;
import dev.waybill.starter.ConsumerRole;
import dev.waybill.starter.InboxProperties;
import dev.waybill.starter.OutboxProperties.DdlMode;
import dev.waybill.starter.StartUpException;
import dev.waybill.starter.StopBudget;
import dev.waybill.store.StoreException;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * The subscriptions of the application's listeners. They start last, when everything that a handler may need runs, and stop
 * first, before the relay and the pools. An application without listeners has no subscriptions and needs no table.
 */
public final class InboxSubscriptions implements SmartLifecycle, SmartInitializingSingleton, ConsumerRole {

    private static final Logger log = LoggerFactory.getLogger(InboxSubscriptions.class);

    private static final Duration PAUSE_PATIENCE = Duration.ofSeconds(10);

    private final ListenerMethodFinder finder;
    private final InboxProperties properties;
    private final Supplier<InboxFactory> factories;
    private final Runnable openTables;
    private final StopBudget stopBudget;
    private volatile @Nullable List<ListenerSubscription> found;
    private volatile Map<SubscriptionSpec, Lifecycle> subscriptions = Map.of();
    private final Set<SubscriptionSpec> paused = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    InboxSubscriptions(
            ListenerMethodFinder finder,
            InboxProperties properties,
            Supplier<InboxFactory> factories,
            Runnable openTables,
            StopBudget stopBudget) {
        this.stopBudget = stopBudget;
        this.finder = finder;
        this.properties = properties;
        this.factories = factories;
        this.openTables = openTables;
    }

    @Override
    public void afterSingletonsInstantiated() {
        boolean listens = !listenerSubscriptions().isEmpty(); // a mistake in an annotation stops the start-up here
        if (listens && properties.ddl() == DdlMode.PRINT) {
            openTables.run(); // before the relay refuses its own table, so that all statements are printed in one go
        }
    }

    /** Every subscription of this process. */
    public List<SubscriptionSpec> specs() {
        return listenerSubscriptions().stream().map(ListenerSubscription::spec).toList();
    }

    /** The types that this subscription's methods handle. */
    public Set<String> types(SubscriptionSpec spec) {
        return listenerSubscriptions().stream()
                .filter(subscription -> subscription.spec().equals(spec))
                .flatMap(subscription -> subscription.methods().stream())
                .flatMap(method -> method.attributes().types().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean consumes() {
        return !listenerSubscriptions().isEmpty();
    }

    /** Without the lock once they are found: a stop holds it for seconds, and health asks. */
    private List<ListenerSubscription> listenerSubscriptions() {
        List<ListenerSubscription> known = found;
        return known == null ? find() : known;
    }

    private synchronized List<ListenerSubscription> find() {
        List<ListenerSubscription> known = found;
        if (known == null) {
            known = ListenerSubscriptionFactory.of(finder.find(), InboxPropertiesValidator.checked(properties));
            found = known;
        }
        return known;
    }

    /** Whether this subscription receives messages. */
    public boolean isReceiving(SubscriptionSpec spec) {
        Lifecycle subscription = subscriptions.get(spec);
        return subscription != null && subscription.isRunning();
    }

    /** What keeps this subscription from receiving, with host, port and user; null while it receives or is stopped. */
    public @Nullable String obstacle(SubscriptionSpec spec) {
        Lifecycle subscription = subscriptions.get(spec);
        return subscription == null ? null : subscription.obstacle();
    }

    /** Stops one subscription until {@link #resume}; what it has not acknowledged waits at the broker. */
    public synchronized void pause(SubscriptionSpec spec) {
        Lifecycle subscription = subscriptions.get(spec);
        paused.add(spec); // before it stops, so that nobody takes that for a failure
        try {
            if (running && subscription != null && !subscription.stop(PAUSE_PATIENCE)) {
                log.warn(
                        "[Inbox] Pause reached {} with handlers under way group={}; their events are delivered again",
                        PAUSE_PATIENCE,
                        LogText.token(spec.group()));
            }
        } catch (RuntimeException e) {
            paused.remove(spec); // it may still receive: whoever asked has to ask again
            throw e;
        }
    }

    /** Receives again. */
    public synchronized void resume(SubscriptionSpec spec) {
        Lifecycle subscription = subscriptions.get(spec);
        if (running && subscription != null) {
            subscription.start();
        }
        paused.remove(spec);
    }

    /** Whether a person has paused this subscription. */
    public boolean isPaused(SubscriptionSpec spec) {
        return paused.contains(spec);
    }

    @Override
    public synchronized void start() {
        stopBudget.reset();
        if (!listenerSubscriptions().isEmpty()) {
            try {
                subscribe();
                subscriptions.forEach((spec, subscription) -> {
                    if (!paused.contains(spec)) {
                        subscription.start();
                    }
                });
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

    private void subscribe() {
        if (subscriptions.isEmpty()) {
            InboxFactory factory = factories.get();
            Map<SubscriptionSpec, Lifecycle> subscribed = new LinkedHashMap<>();
            listenerSubscriptions()
                    .forEach(subscription -> subscribed.put(subscription.spec(), factory.subscribe(subscription)));
            subscriptions = subscribed;
        }
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
        if (!stopBudget.stopReceiving(subscriptions.values())) {
            log.warn("[Inbox] Stop reached {} with handlers under way; their events are delivered again", stopBudget);
        }
    }

    /** Beside the dead letters, which stop at the same time. */
    @Override
    public void stop(Runnable stopped) {
        StopThread.run(this::stop, stopped);
    }

    /** Whether it was started: Spring asks, to know whom to stop. Who receives is told by {@link #isReceiving}. */
    @Override
    public boolean isRunning() {
        return running;
    }
}
