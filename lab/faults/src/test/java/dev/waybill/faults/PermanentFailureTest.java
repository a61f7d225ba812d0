package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.Event;
import dev.waybill.outbox.RelayListener;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** What no repeat can mend is DEAD at once with its error; what may mend itself is tried again. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
class PermanentFailureTest {

    private static final int LIMIT = 100_000;

    @Test
    void hopelessEventsAreDeadAtOnceAndTheRestFlowsOnOnRabbitMq(PostgreSql sql, RabbitMq broker) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            hopelessAmongGood(environment);
        }
    }

    @Test
    void hopelessEventsInTheMiddleOfABatchAreDeadAtOnceAndTheRestFlowsOnOnRocketMq(MariaDb sql, RocketMq broker) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker)) {
            hopelessAmongGood(environment);
        }
    }

    @Test
    void aReturnedMessageIsTriedAgainAndSentOnceTheBindingIsBack(PostgreSql sql, RabbitMq broker) throws Exception {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker);
                RelayNode node = new RelayNode(environment.spec.with("retryMs", 1000));
                Connection connection = connect(environment);
                Channel channel = connection.createChannel()) {
            channel.queueUnbind("faults.events.queue", "faults.events", "#");
            node.relay.start();
            String id = node.transact(any -> node.outbox.publish(Producers.event()));

            await().atMost(Duration.ofSeconds(10))
                    .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'RETRY'") == 1);
            assertThat(environment.texts("SELECT last_error FROM waybill_outbox"))
                    .singleElement()
                    .asString()
                    .contains("UNROUTABLE");
            assertThat(node.relay.stats().down()).isEmpty();

            channel.queueBind("faults.events.queue", "faults.events", "#");
            await().atMost(Duration.ofSeconds(15)).until(() -> environment.arrivals.has(id));
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'SENT'") == 1);
        }
    }

    @Test
    void anAnswerOtherThanSendOkLeavesTheRowToBeTriedAgain(MariaDb sql, RocketMq broker) {
        try (RelayTestEnvironment environment = RelayTestEnvironment.of(sql, broker);
                RelayNode node =
                        new RelayNode(environment.spec.with("retryMs", 1000).with("retries", 50))) {
            node.relay.start();
            broker.configureBroker(Map.of("syncFlushTimeout", "0")); // a real broker that answers FLUSH_DISK_TIMEOUT
            List<String> ids = new ArrayList<>();
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                // sometimes the flush ends before the time-out of zero is checked, so one event may not be enough
                ids.add(node.transact(any -> node.outbox.publish(Producers.event())));
                return environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'RETRY'") > 0;
            });
            assertThat(environment.texts("SELECT last_error FROM waybill_outbox WHERE status = 'RETRY'"))
                    .isNotEmpty()
                    .allMatch(error -> error.contains("NOT_STORED"));
            assertThat(node.relay.stats().sent()).isLessThan(ids.size());

            broker.configureBroker(Map.of("syncFlushTimeout", "5000"));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'SENT'")
                            == ids.size());
            await().atMost(Duration.ofSeconds(30)).until(() -> ids.stream().allMatch(environment.arrivals::has));
        }
    }

    private static void hopelessAmongGood(RelayTestEnvironment environment) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            events.add(Producers.event());
        }
        Event nowhere = Event.builder("Nowhere").build();
        Event broken = Producers.event();
        Event huge = Producers.event().toBuilder()
                .payload("\"" + "x".repeat(LIMIT) + "\"")
                .build();
        events.addAll(10, List.of(nowhere, broken, huge));
        Map<String, String> dead = new ConcurrentHashMap<>();
        RelayListener listener = new RelayListener() {
            @Override
            public void dead(Event event, int attempts, String error) {
                dead.put(event.eventId(), error);
            }
        };
        try (RelayNode node = new RelayNode(environment.spec.with("maxSize", LIMIT), listener, Checkpoints.NONE)) {
            // As another version would have left them, with routes that this relay does not have; publish would refuse
            // one.
            node.transact(connection -> node.store.append(events, null));
            environment.execute(
                    "UPDATE waybill_outbox SET payload = '{oops' WHERE event_id = '" + broken.eventId() + "'");
            node.relay.start();

            await().atMost(Duration.ofSeconds(20))
                    .until(() -> environment.arrivals.distinct() == 40 && dead.size() == 3);
            assertThat(dead.get(nowhere.eventId())).contains("NO_DESTINATION");
            assertThat(dead.get(broken.eventId())).contains("UNSERIALISABLE");
            assertThat(dead.get(huge.eventId())).contains("TOO_LARGE");
            assertThat(environment.texts("SELECT last_error FROM waybill_outbox WHERE status = 'DEAD'"))
                    .hasSize(3)
                    .allMatch(error -> error != null && !error.isBlank());
            await().atMost(Duration.ofSeconds(20)) // the broker's answers are written together, a moment later
                    .until(() -> environment.count("SELECT COUNT(*) FROM waybill_outbox WHERE status = 'SENT'") == 40);
        }
    }

    private static Connection connect(RelayTestEnvironment environment) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(environment.spec.text("amqp"));
        return factory.newConnection();
    }
}
