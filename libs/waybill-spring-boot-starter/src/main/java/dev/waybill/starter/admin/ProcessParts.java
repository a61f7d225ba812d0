package dev.waybill.starter.admin;

import dev.waybill.outbox.Relay;
import dev.waybill.outbox.RelayStats;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.starter.admin.ProcessView.ConsumerLine;
import dev.waybill.starter.admin.ProcessView.OutboxCounts;
import dev.waybill.starter.admin.ProcessView.Overview;
import dev.waybill.starter.admin.ProcessView.PauseView;
import dev.waybill.starter.admin.ProcessView.RelayState;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.store.AlertStore;
import dev.waybill.store.AlertStore.StoredAlert;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.OutboxStore;
import dev.waybill.store.PauseStore.PausedPart;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.SubscriptionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/** The parts of this process, as far as it has them: an application may publish only, consume only, or have no alerts. */
final class ProcessParts {

    private static final int MOST_ALERTS = 200;

    private final ListableBeanFactory beans;
    private final String application;
    private final String alertScope;
    private final @Nullable BrokerLag lag;

    /** @param lag null where nothing measures */
    ProcessParts(ListableBeanFactory beans, String application, String alertScope, @Nullable BrokerLag lag) {
        this.beans = beans;
        this.application = application;
        this.alertScope = alertScope;
        this.lag = lag;
    }

    /** What can be paused here. */
    List<PausablePart> pausable() {
        List<PausablePart> parts = new ArrayList<>();
        RelayLifecycle lifecycle = bean(RelayLifecycle.class);
        if (lifecycle != null && bean(Relay.class) != null) {
            parts.add(PausablePart.of(lifecycle));
        }
        InboxSubscriptions subscriptions = bean(InboxSubscriptions.class);
        specs().forEach(spec -> parts.add(PausablePart.of(known(subscriptions), spec)));
        return parts;
    }

    List<SubscriptionSpec> specs() {
        InboxSubscriptions subscriptions = bean(InboxSubscriptions.class);
        return subscriptions == null ? List.of() : subscriptions.specs();
    }

    List<ConsumerLine> consumers(Map<String, PausedPart> paused) {
        InboxSubscriptions subscriptions = bean(InboxSubscriptions.class);
        return specs().stream()
                .map(spec -> new ConsumerLine(
                        spec.source(),
                        spec.group(),
                        new TreeSet<>(known(subscriptions).types(spec)),
                        known(subscriptions).isReceiving(spec),
                        PauseView.of(paused.get(PausablePart.consumer(spec.source(), spec.group()))),
                        known(subscriptions).obstacle(spec),
                        lag == null ? null : lag.of(spec)))
                .toList();
    }

    /** @throws AdminRefusal where this process does not relay */
    RelayState relay(Map<String, PausedPart> paused) {
        RelayState state = relayState(paused);
        if (state == null) {
            throw new AdminRefusal(AdminError.NOT_HERE, "this process does not relay");
        }
        return state;
    }

    private @Nullable RelayState relayState(Map<String, PausedPart> paused) {
        Relay relay = bean(Relay.class);
        if (relay == null) {
            return null;
        }
        RelayStats stats = relay.stats();
        return new RelayState(
                relay.isRunning(),
                PauseView.of(paused.get(PausablePart.RELAY)),
                relay.obstacle(),
                stats.down().stream().map(SendTarget::label).collect(Collectors.toCollection(TreeSet::new)),
                stats.waiting(),
                stats.inFlight());
    }

    /** @throws AdminRefusal where there are no alerts */
    List<StoredAlert> alerts(int limit) {
        AlertStore alerts = bean(AlertStore.class);
        if (alerts == null) {
            throw new AdminRefusal(AdminError.NOT_HERE, "this application has no alerts: waybill.alerts.enabled");
        }
        return alerts.list(alertScope, limit);
    }

    Overview overview(Map<String, PausedPart> paused) {
        OutboxStore outbox = bean(RelayLifecycle.class) == null ? null : bean(OutboxStore.class);
        OutboxReader reader = bean(OutboxReader.class);
        return new Overview(
                application,
                outbox == null ? null : OutboxCounts.of(outbox.backlog()),
                reader == null
                        ? null
                        : reader.fields().stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new)),
                relayState(paused),
                consumers(paused),
                openLetters(),
                alertsRaised());
    }

    private @Nullable Long openLetters() {
        DeadLetterStore letters = specs().isEmpty() ? null : bean(DeadLetterStore.class);
        return letters == null ? null : letters.count(Filter.any().withState(State.OPEN));
    }

    private @Nullable Long alertsRaised() {
        AlertStore alerts = bean(AlertStore.class);
        return alerts == null
                ? null
                : alerts.list(alertScope, MOST_ALERTS).stream()
                        .filter(alert -> alert.clearedAt() == null)
                        .count();
    }

    private static InboxSubscriptions known(@Nullable InboxSubscriptions subscriptions) {
        return Objects.requireNonNull(subscriptions);
    }

    private <T> @Nullable T bean(Class<T> type) {
        return beans.getBeanProvider(type).getIfAvailable();
    }
}
