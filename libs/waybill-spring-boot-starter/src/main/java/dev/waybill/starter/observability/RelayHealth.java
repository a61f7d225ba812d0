package dev.waybill.starter.observability;

import dev.waybill.outbox.Relay;
import dev.waybill.outbox.RelayListener;
import dev.waybill.outbox.RelayStats;
import dev.waybill.starter.RelayLifecycle;
import dev.waybill.transport.SendTarget;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * DOWN when nothing can be sent: the relay does not run, an error ended it and it has not begun anew, or the whole broker is not
 * there, with the reason. UNKNOWN while a person has paused it. One topic that is down is a detail. Transactions commit and events wait meanwhile, so this indicator
 * belongs to a person's view and not to a load balancer's.
 */
final class RelayHealth implements HealthIndicator, RelayListener {

    private final Relay relay;
    private final RelayLifecycle lifecycle;
    private volatile @Nullable Error error;

    RelayHealth(Relay relay, RelayLifecycle lifecycle) {
        this.relay = relay;
        this.lifecycle = lifecycle;
    }

    @Override
    public void failed(Error error) {
        this.error = error;
    }

    @Override
    public void restarted() {
        this.error = null;
    }

    @Override
    public Health health() {
        if (lifecycle.isNeedless()) {
            return Health.unknown()
                    .withDetail("relay", "not started: nothing here publishes")
                    .build();
        }
        if (lifecycle.isPaused()) {
            return Health.unknown().withDetail("relay", "paused by an operator").build();
        }
        RelayStats stats = relay.stats();
        Error ending = error;
        String obstacle = relay.obstacle();
        Health.Builder health = relay.isRunning() ? Health.up() : ending != null ? Health.down(ending) : Health.down();
        if (obstacle != null) {
            health.withDetail("sendsNothing", obstacle);
        }
        return health.withDetail("destinationsDown", names(stats.down()))
                .withDetail("waiting", stats.waiting())
                .withDetail("inFlight", stats.inFlight())
                .withDetail("window", stats.window())
                .build();
    }

    private static Set<String> names(Set<SendTarget> down) {
        return down.stream().map(SendTarget::label).collect(Collectors.toUnmodifiableSet());
    }
}
