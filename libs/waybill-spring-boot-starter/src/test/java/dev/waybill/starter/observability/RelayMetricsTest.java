package dev.waybill.starter.observability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Meters stay few, whatever names events have. */
class RelayMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RelayMetrics metrics = new RelayMetrics(registry);

    @Test
    void namesWithoutEndShareOneMeter() {
        IntStream.range(0, 2_000).forEach(i -> metrics.sent(event("T" + i, "Type" + i), Duration.ofMillis(1)));
        assertThat(registry.find("waybill.relay.sent").counters()).hasSize(RelayMetrics.MOST + 1);
        assertThat(registry.find("waybill.relay.dispatch").timers()).hasSize(RelayMetrics.MOST + 1);
        assertThat(registry.get("waybill.relay.sent")
                        .tags("topic", RelayMetrics.OTHER, "type", RelayMetrics.OTHER)
                        .counter()
                        .count())
                .isEqualTo(2_000 - RelayMetrics.MOST);
        metrics.sent(event("T1", "Type1"), Duration.ofMillis(1));
        assertThat(registry.get("waybill.relay.sent")
                        .tags("topic", "T1", "type", "Type1")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void aRetryIsCountedWithItsAttemptsAndTheTimeUntilItIsDue() {
        metrics.retried(event("T", "A"), 3, Duration.ofSeconds(20), "no");
        assertThat(registry.get("waybill.relay.attempts").summary().totalAmount())
                .isEqualTo(3);
        assertThat(registry.get("waybill.relay.retry.delay").timer().max(TimeUnit.SECONDS))
                .isEqualTo(20);
    }

    private static Event event(String topic, String type) {
        return Event.builder(type).destination(Destination.of(topic, "")).build();
    }
}
