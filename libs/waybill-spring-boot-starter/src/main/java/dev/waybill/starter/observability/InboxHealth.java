package dev.waybill.starter.observability;

import dev.waybill.inbox.InboxListener;
import dev.waybill.starter.inbox.InboxSubscriptions;
import dev.waybill.starter.inbox.SubscriptionListenerFactory;
import dev.waybill.transport.SubscriptionSpec;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * DOWN when a subscription does not receive although it should, with the reason: a queue that does not exist, a broker that is
 * not there or refuses the password. One that waits for its database or a dependency is shown as a
 * detail and leaves the service UP: it resumes by itself, and those have indicators of their own. So is one that a person paused.
 */
final class InboxHealth implements HealthIndicator, SubscriptionListenerFactory {

    private final InboxSubscriptions subscriptions;
    private final Map<SubscriptionSpec, String> paused = new ConcurrentHashMap<>();

    InboxHealth(InboxSubscriptions subscriptions) {
        this.subscriptions = subscriptions;
    }

    @Override
    public InboxListener listenerFor(SubscriptionSpec subscription) {
        return new InboxListener() {
            @Override
            public void paused(String dependency) {
                paused.put(subscription, dependency);
            }

            @Override
            public void resumed(String dependency) {
                paused.remove(subscription);
            }
        };
    }

    @Override
    public Health health() {
        Map<String, String> states = new TreeMap<>();
        boolean up = true;
        for (SubscriptionSpec spec : subscriptions.specs()) {
            boolean receives = subscriptions.isReceiving(spec);
            boolean paused = subscriptions.isPaused(spec);
            up &= receives || paused;
            states.put(
                    spec.source() + " " + spec.group(),
                    paused ? "paused by an operator" : receives ? workOf(spec) : trouble(spec));
        }
        return (up ? Health.up() : Health.down())
                .withDetail("subscriptions", states)
                .build();
    }

    private String workOf(SubscriptionSpec spec) {
        String waitsFor = paused.get(spec);
        return waitsFor == null ? "receiving" : "waits for " + waitsFor;
    }

    private String trouble(SubscriptionSpec spec) {
        String obstacle = subscriptions.obstacle(spec);
        return obstacle == null ? "stopped" : "receives nothing: " + obstacle;
    }
}
