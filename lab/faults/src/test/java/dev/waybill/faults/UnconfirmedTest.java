package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.Event;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Written to the socket is not sent: other outboxes mark an event complete before the broker has confirmed it. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
class UnconfirmedTest {

    private static final int EVENTS = 10;
    private static final String SENT = "SELECT COUNT(*) FROM waybill_outbox WHERE status = 'SENT'";

    @Test
    void anEventThatTheBrokerHasNotConfirmedIsNotSent(PostgreSql sql, RabbitMq broker) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker);
                RelayNode node = new RelayNode(environment.spec.with("leaseMs", 600_000))) {
            node.relay.start();
            publish(node, 1); // connections are up when the broker freezes
            await().atMost(Duration.ofSeconds(60)).until(() -> environment.count(SENT) == 1);
            broker.pause();
            List<String> held;
            try {
                held = publish(node, EVENTS);
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> node.relay.stats().inFlight() == EVENTS);
                await().during(Duration.ofSeconds(1))
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> environment.count(SENT) == 1);
                assertThat(node.relay.stats().sent()).isEqualTo(1);
            } finally {
                broker.resume();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> environment.count(SENT) == EVENTS + 1);
            await().atMost(Duration.ofSeconds(60)).until(() -> environment.arrivals.distinct() == EVENTS + 1);
            assertThat(environment.arrivals.ids()).containsAll(new HashSet<>(held));
        }
    }

    private static List<String> publish(RelayNode node, int count) {
        List<Event> events = Stream.generate(Producers::event).limit(count).toList();
        return node.transact(connection -> node.outbox.publishAll(events));
    }
}
