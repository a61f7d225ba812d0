package dev.waybill.starter.inbox;

import dev.waybill.inbox.Dependency;
import dev.waybill.inbox.DoneCache;
import dev.waybill.inbox.EventHandler;
import dev.waybill.inbox.Inbox;
import dev.waybill.inbox.InboxListener;
import dev.waybill.inbox.RefusalTexts;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.starter.EventTracing;
import dev.waybill.starter.InboxProperties;
import dev.waybill.store.InboxStore;
import dev.waybill.store.TransactionRunner;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.Subscriptions;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/** Makes inboxes and subscribes them. The beans it needs are looked up only when there is a listener. */
record InboxFactory(
        BeanFactory beans,
        Subscriptions broker,
        Shared shared,
        @Nullable PayloadReader payloads,
        Function<SubscriptionSpec, List<InboxListener>> listeners) {

    /** The parts that all inboxes of the process share. */
    record Shared(
            InboxStore store,
            TransactionRunner transactions,
            DoneCache cache,
            List<Dependency> dependencies,
            RefusalTexts texts,
            @Nullable EventTracing tracing,
            int maxBodyBytes) {}

    static InboxFactory of(ListableBeanFactory beans, InboxProperties properties) {
        InboxStore store = beans.getBean(InboxStore.class);
        return new InboxFactory(
                beans,
                beans.getBean(Subscriptions.class),
                new Shared(
                        store,
                        beans.getBean(TransactionRunner.class),
                        beans.getBeanProvider(DoneCache.class).getIfAvailable(() -> DoneCache.NONE),
                        all(beans, Dependency.class).toList(),
                        beans.getBeanProvider(RefusalTexts.class).getIfAvailable(() -> RefusalTexts.ENGLISH),
                        beans.getBeanProvider(EventTracing.class).getIfAvailable(),
                        (int) properties.maxBody().toBytes()),
                beans.getBeanProvider(PayloadReader.class).getIfAvailable(),
                spec -> Stream.concat(
                                all(beans, InboxListener.class),
                                all(beans, SubscriptionListenerFactory.class).map(factory -> factory.listenerFor(spec)))
                        .toList());
    }

    private static <T> Stream<T> all(ListableBeanFactory beans, Class<T> type) {
        return beans.getBeanProvider(type).orderedStream();
    }

    Lifecycle subscribe(ListenerSubscription subscription) {
        SubscriptionSpec spec = subscription.spec();
        Inbox.Builder inbox = Inbox.builder(spec.group())
                .store(shared.store())
                .transactions(shared.transactions())
                .consumer(subscription.consumer())
                .unknownTypes(subscription.unknownTypes())
                .texts(shared.texts())
                .maxBodyBytes(shared.maxBodyBytes())
                .cache(shared.cache())
                .checkpoints(beans.getBeanProvider(Checkpoints.class).getIfAvailable(() -> Checkpoints.NONE))
                .listener(new CompositeInboxListener(listeners.apply(spec)));
        shared.dependencies().forEach(inbox::dependency);
        EventTracing tracing = shared.tracing();
        for (ListenerMethod listener : subscription.methods()) {
            EventHandler handler = handler(listener);
            EventHandler traced = tracing == null ? handler : tracing.handling(handler);
            listener.attributes().types().forEach(type -> inbox.on(type, traced));
        }
        Receiver receiver = inbox.build();
        return broker.subscribe(spec, tracing == null ? receiver : tracing.processing(broker.name(), receiver));
    }

    private EventHandler handler(ListenerMethod listener) {
        ListenerArgumentResolver arguments = ListenerArgumentResolver.of(listener, payloads);
        return new ListenerMethodHandler(() -> beans.getBean(listener.bean()), listener.method(), arguments);
    }
}
