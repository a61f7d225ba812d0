package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Quorum queues drop a message that was given back more often than their limit says. Here the limit is three. */
@Servers(Server.RABBITMQ)
class QuorumQueuesTest {

    private static final String QUEUE = "inventory.update.queue";
    private static final String DEAD = "order.dlq.queue";
    private static final int LIMIT = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum", "x-delivery-limit", LIMIT);

    private final RabbitMq server;
    private final AtomicBoolean away = new AtomicBoolean(true);
    private final Map<String, Integer> offered = new ConcurrentHashMap<>();
    private final List<Delivery> received = new CopyOnWriteArrayList<>();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private RabbitMqFixture host;
    private RabbitMqSubscriptions subscriptions;

    QuorumQueuesTest(RabbitMq server) {
        this.server = server;
    }

    @BeforeEach
    void declare() {
        host = new RabbitMqFixture(server);
        host.channel(channel -> {
            channel.queueDeclare(DEAD, true, false, false, QUORUM);
            return channel.queueDeclare(QUEUE, true, false, false, QUORUM);
        });
        subscriptions = RabbitMqSubscriptions.builder(host.factory())
                .deadLetters(new DeadLetterRoute.Published("", DEAD, DEAD))
                .build();
    }

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @Test
    void aReceiverThatThrowsForLongerThanTheLimitLosesNothing() {
        List<String> ids = publish(QUEUE, 20);
        subscribe(delivery -> {
            offered.merge(String.valueOf(delivery.messageId()), 1, Integer::sum);
            if (away.get()) {
                throw new IllegalStateException("the database is away");
            }
            received.add(delivery);
            return new HandlerResult.Done();
        });

        awaitEachOfferedMoreOftenThanTheLimit(ids);
        away.set(false);

        await().atMost(PATIENCE).until(() -> received.size() >= ids.size());
        assertThat(received).extracting(Delivery::messageId).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(received).allMatch(delivery -> delivery.attempt() == 1);
        assertEmptyAfterAStop(QUEUE);
    }

    @Test
    void aRetryThatTheBrokerDoesNotTakeForLongerThanTheLimitIsNotLost() {
        server.manage(
                "PUT",
                "/api/policies/" + host.vhost() + "/full",
                "{\"pattern\":\"^waybill[.]retry[.]\",\"apply-to\":\"queues\",\"definition\":{\"max-length\":0}}");
        List<String> ids = publish(QUEUE, 5);
        try (LoggedLines log = new LoggedLines(Acknowledger.class)) {
            subscribe(delivery -> {
                received.add(delivery);
                return delivery.attempt() == 1 ? new HandlerResult.Retry("not yet") : new HandlerResult.Done();
            });
            // A full quorum queue takes a message or two before it knows that it is full, and keeps them for the delay.
            await().atMost(PATIENCE).until(() -> refused(log, ids) >= ids.size() - 2);
        }

        server.manage("DELETE", "/api/policies/" + host.vhost() + "/full", "");

        await().atMost(PATIENCE).until(() -> received.size() >= 2 * ids.size());
        for (String id : ids) {
            assertThat(received)
                    .filteredOn(delivery -> id.equals(delivery.messageId()))
                    .extracting(Delivery::attempt)
                    .containsExactly(1, 2);
        }
        assertEmptyAfterAStop(QUEUE);
    }

    @Test
    void aSinkThatRefusesForLongerThanTheLimitLosesNoLetter() {
        List<String> ids = publish(DEAD, 20);
        collect();

        awaitEachOfferedMoreOftenThanTheLimit(ids);
        away.set(false);

        await().atMost(PATIENCE).until(() -> letters.size() >= ids.size());
        assertThat(letters).extracting(DeadLetter::messageId).containsExactlyInAnyOrderElementsOf(ids);
        assertEmptyAfterAStop(DEAD);
    }

    @Test
    void lettersOfOthersSurviveMoreRestartsOfTheCollectorThanTheLimit() {
        List<String> ids = publish(DEAD, 20, "somebody.elses.queue");
        Lifecycle collecting = subscriptions.deadLetters(spec()).collect(letters::add);
        for (int i = 0; i < LIMIT + 2; i++) {
            collecting.start();
            await().atMost(PATIENCE).until(() -> ready(DEAD) == 0);
            assertThat(collecting.stop(PATIENCE)).isTrue();
            await().atMost(PATIENCE).until(() -> ready(DEAD) == ids.size());
        }
        assertThat(letters).isEmpty();
    }

    private static long refused(LoggedLines log, List<String> ids) {
        return ids.stream()
                .filter(id -> log.count("eventId=" + id + " ") > LIMIT + 1)
                .count();
    }

    private void awaitEachOfferedMoreOftenThanTheLimit(List<String> ids) {
        await().atMost(PATIENCE).until(() -> ids.stream().allMatch(id -> offered.getOrDefault(id, 0) > LIMIT + 1));
    }

    private void assertEmptyAfterAStop(String queue) {
        subscriptions.close();
        assertThat(ready(queue)).isZero();
    }

    private long ready(String queue) {
        return host.<Long>channel(channel -> channel.messageCount(queue));
    }

    private static SubscriptionSpec spec() {
        return SubscriptionSpec.of(QUEUE, "marketplace")
                .withConcurrency(2, 20)
                .withRetryDelays(List.of(Duration.ofSeconds(4)));
    }

    private interface Rule {
        HandlerResult answer(Delivery delivery);
    }

    private void subscribe(Rule rule) {
        subscriptions
                .subscribe(spec(), batch -> batch.stream().map(rule::answer).toList())
                .start();
    }

    private void collect() {
        subscriptions
                .deadLetters(spec())
                .collect(letter -> {
                    offered.merge(String.valueOf(letter.messageId()), 1, Integer::sum);
                    if (away.get()) {
                        throw new IllegalStateException("the database is away");
                    }
                    letters.add(letter);
                })
                .start();
    }

    private List<String> publish(String queue, int count) {
        return publish(queue, count, QUEUE);
    }

    private List<String> publish(String queue, int count, String source) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> "e-" + i).toList();
        host.publish(
                queue,
                ids.stream()
                        .map(id -> new BasicProperties.Builder()
                                .messageId(id)
                                .headers(Map.of("x-waybill-source", source))
                                .build())
                        .toList(),
                "{}".getBytes(StandardCharsets.UTF_8));
        return ids;
    }
}
