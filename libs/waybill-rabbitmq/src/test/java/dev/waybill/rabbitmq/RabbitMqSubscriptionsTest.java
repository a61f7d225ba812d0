package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.Receiver;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What RabbitMQ's subscriptions promise beyond the contract. */
@Servers(Server.RABBITMQ)
class RabbitMqSubscriptionsTest {

    private static final String EXCHANGE = "order.events.exchange";
    private static final String QUEUE = "inventory.update.queue";
    private static final String OTHER_QUEUE = "order.fulfillment.queue";
    private static final String DEAD = "order.dlq.queue";
    private static final Duration DELAY = Duration.ofMillis(150);
    private static final DeadLetterRoute ROUTE = new DeadLetterRoute.Published(EXCHANGE, "order.dlq", DEAD);

    private final RabbitMq server;
    private final List<Delivery> received = new CopyOnWriteArrayList<>();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private RabbitMqFixture host;
    private RabbitMqSubscriptions subscriptions;

    RabbitMqSubscriptionsTest(RabbitMq server) {
        this.server = server;
    }

    /** The marketplace's topology, as far as it matters here. */
    @BeforeEach
    void declare() {
        host = new RabbitMqFixture(server);
        Map<String, Object> business =
                Map.of("x-dead-letter-exchange", EXCHANGE, "x-dead-letter-routing-key", "order.dlq");
        host.channel(channel -> {
            channel.exchangeDeclare(EXCHANGE, "topic", true);
            channel.queueDeclare(DEAD, true, false, false, null);
            channel.queueDeclare(QUEUE, true, false, false, business);
            channel.queueDeclare(OTHER_QUEUE, true, false, false, business);
            return channel.queueBind(DEAD, EXCHANGE, "order.dlq");
        });
        subscriptions =
                RabbitMqSubscriptions.builder(host.factory()).deadLetters(ROUTE).build();
    }

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @Test
    void aQueueWithoutADeadLetterRouteIsRefused() {
        RabbitMqSubscriptions none =
                RabbitMqSubscriptions.builder(host.factory()).build();

        assertThatThrownBy(() -> none.subscribe(spec(QUEUE), batch -> List.of()))
                .isInstanceOfSatisfying(
                        TransportException.class,
                        e -> assertThat(e.reason()).isEqualTo(TransportException.Reason.UNSAFE_SETTING))
                .hasMessageContaining("set deadLetters(\"" + QUEUE + "\"");
    }

    @Test
    void retryQueuesAreTheOnlyObjectsThatAppear() {
        Set<String> before = queues();
        subscribe(
                QUEUE,
                delivery -> delivery.attempt() == 1 ? new HandlerResult.Retry("first") : new HandlerResult.Done());

        publish(QUEUE, "e-1", Map.of());
        await().until(() -> received.size() == 2);

        Set<String> added = queues();
        added.removeAll(before);
        assertThat(added).containsExactly("waybill.retry." + QUEUE + ".150");
        assertThat(received.get(1).headers())
                .containsEntry("x-waybill-attempt", "2")
                .containsEntry("x-waybill-error", "first");
    }

    @Test
    void aRetryQueueThatSomebodyDeletedIsDeclaredAnew() throws Exception {
        subscribe(
                QUEUE,
                delivery -> delivery.attempt() == 1 ? new HandlerResult.Retry("first") : new HandlerResult.Done());
        publish(QUEUE, "e-1", Map.of());
        await().until(() -> received.size() == 2);

        host.channel(channel -> channel.queueDelete("waybill.retry." + QUEUE + ".150"));
        publish(QUEUE, "e-2", Map.of());

        await().until(() -> received.size() == 4);
        assertThat(received).extracting(Delivery::attempt).containsExactly(1, 2, 1, 2);
    }

    @Test
    void aRejectedLetterIsRecognisedByTheBrokersOwnRecord() {
        subscriptions = RabbitMqSubscriptions.builder(host.factory())
                .deadLetters(QUEUE, new DeadLetterRoute.Rejected(DEAD))
                .build();
        collect(QUEUE);
        subscribe(QUEUE, delivery -> new HandlerResult.Reject("nobody will know why"));

        publish(QUEUE, "e-1", Map.of());

        await().until(() -> letters.size() == 1);
        assertThat(letters.get(0).source()).isEqualTo(QUEUE);
        assertThat(letters.get(0).messageId()).isEqualTo("e-1");
        assertThat(letters.get(0).error()).isEqualTo("rejected");
        assertThat(subscriptions.deadLetters(spec(QUEUE)).replay(letters.get(0)))
                .isInstanceOf(SendResult.Confirmed.class);
        await().until(() -> letters.size() == 2);
        assertThat(letters.get(1).key()).isNotEqualTo(letters.get(0).key());
    }

    @Test
    void oneDeadLetterQueueServesManyQueuesAndNobodyTakesAnothersLetters() {
        collect(QUEUE);
        subscribe(QUEUE, delivery -> new HandlerResult.Reject("mine"));
        subscribe(OTHER_QUEUE, delivery -> new HandlerResult.Reject("not collected yet"));

        publish(OTHER_QUEUE, "theirs", Map.of());
        publish(QUEUE, "mine-1", Map.of());
        publish(QUEUE, "mine-2", Map.of());
        await().until(() -> letters.size() == 2);
        assertThat(letters).extracting(DeadLetter::messageId).containsExactlyInAnyOrder("mine-1", "mine-2");

        collect(OTHER_QUEUE);
        await().until(() -> letters.size() == 3);
        assertThat(letters.get(2).source()).isEqualTo(OTHER_QUEUE);
        assertThat(letters.get(2).messageId()).isEqualTo("theirs");
    }

    @Test
    void aLetterThatReachesNoQueueIsNotGivenUp() {
        host.channel(channel -> channel.queueUnbind(DEAD, EXCHANGE, "order.dlq"));
        collect(QUEUE);
        subscribe(QUEUE, delivery -> new HandlerResult.Reject("nowhere to go"));

        publish(QUEUE, "e-1", Map.of());

        await().until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("e-1");
        assertThat(letters.get(0).error()).isEqualTo("nowhere to go");
        assertThat(received).extracting(Delivery::attempt).containsExactly(1);
    }

    @Test
    void aLetterThatReachesNoQueueForAMomentIsHeld() {
        host.channel(channel -> channel.queueUnbind(DEAD, EXCHANGE, "order.dlq"));
        AtomicInteger refusals = new AtomicInteger();
        Consumer<String> bindAfterThree = line -> {
            if (line.contains("Dead letter not confirmed") && refusals.incrementAndGet() == 3) {
                host.channel(channel -> channel.queueBind(DEAD, EXCHANGE, "order.dlq"));
            }
        };
        try (LoggedLines log = new LoggedLines(Acknowledger.class, bindAfterThree)) {
            subscribe(QUEUE, delivery -> new HandlerResult.Reject("nowhere to go"));
            publish(QUEUE, "e-1", Map.of());

            GetResponse letter =
                    await().until(() -> host.channel(channel -> channel.basicGet(DEAD, true)), Objects::nonNull);

            assertThat(letter.getEnvelope().getExchange())
                    .as("by its route, not set aside in its queue by name")
                    .isEqualTo(EXCHANGE);
            assertThat(letter.getProps().getMessageId()).isEqualTo("e-1");
            assertThat(log.count("[ALERT]")).isZero();
            assertThat(refusals).hasValue(3);
        }
        assertThat(received).extracting(Delivery::attempt).containsExactly(1);
    }

    @Test
    void whatTheSenderSaidSurvivesARetryADeadLetterAndAReplay() {
        collect(QUEUE);
        subscribe(
                QUEUE,
                delivery -> received.size() % 2 == 1
                        ? new HandlerResult.Retry("first")
                        : new HandlerResult.Reject("second"));
        host.channel(channel -> channel.queueDeclare("copied", true, false, false, null));
        Map<String, Object> headers = new HashMap<>();
        headers.put("schemaVersion", 2);
        headers.put("big", 1L << 40);
        headers.put("flag", true);
        headers.put("traceId", "t-1");
        headers.put("CC", List.of("copied"));

        publish(QUEUE, "e-1", headers);
        await().until(() -> letters.size() == 1);
        subscriptions.deadLetters(spec(QUEUE)).replay(letters.get(0));
        await().until(() -> received.size() == 3);

        for (Delivery delivery : received) {
            assertThat(delivery.headers())
                    .containsEntry("schemaVersion", "2")
                    .containsEntry("big", Long.toString(1L << 40))
                    .containsEntry("flag", "true")
                    .containsEntry("traceId", "t-1")
                    .containsEntry("amqp-type", "ORDER_CREATED")
                    .containsEntry("amqp-correlation-id", "c-1")
                    .containsEntry("amqp-priority", "3")
                    .containsEntry("amqp-timestamp", "1770201000000");
        }
        assertThat(received.get(0).headers().get("amqp-types"))
                .contains("Integer:schemaVersion", "Long:big", "Boolean:flag");
        assertThat(received.get(2).attempt()).isEqualTo(1);
        assertThat(received.get(2).headers().get("amqp-types"))
                .contains("Integer:schemaVersion", "Long:big", "Boolean:flag");
        assertThat(host.<Long>channel(channel -> channel.messageCount("copied")))
                .as("only the sender's own copy")
                .isEqualTo(1);
    }

    /** Publishing stands still during an alarm; acknowledging must not. */
    @Test
    @Tag("outage")
    void duringAnAlarmDoneIsDoneAndAgainComesBackUnspent() {
        subscriptions = RabbitMqSubscriptions.builder(host.factory())
                .deadLetters(ROUTE)
                .confirmTimeout(Duration.ofSeconds(1))
                .build();
        Lifecycle subscription = subscribe(
                QUEUE,
                delivery -> "true".equals(delivery.headers().get("odd")) && delivery.attempt() == 1
                        ? new HandlerResult.Retry("odd")
                        : new HandlerResult.Done());
        subscription.stop(Duration.ofSeconds(5));
        for (int i = 0; i < 10; i++) {
            publish(QUEUE, "e-" + i, Map.of("odd", i % 2 == 1));
        }

        server.raiseMemoryAlarm();
        try {
            subscription.start();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> received.stream()
                                    .map(Delivery::messageId)
                                    .distinct()
                                    .count()
                            == 10);
            subscription.stop(Duration.ofSeconds(5));
            await().until(() -> host.<Long>channel(channel -> channel.messageCount(QUEUE)) == 5);
            assertThat(received).allMatch(delivery -> delivery.attempt() == 1);
        } finally {
            server.clearMemoryAlarm();
        }

        subscription.start();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> received.stream()
                                .filter(delivery -> delivery.attempt() == 2)
                                .map(Delivery::messageId)
                                .distinct()
                                .count()
                        == 5);
    }

    @Test
    void receiversThatOnlyWaitDoNotHoldUpAStop() {
        WaitingReceiver waiting = new WaitingReceiver();
        Lifecycle subscription = subscriptions.subscribe(spec(QUEUE).withConcurrency(4, 20), waiting);
        for (int i = 0; i < 8; i++) {
            publish(QUEUE, "e-" + i, Map.of());
        }
        subscription.start();
        await().until(() -> waiting.now.get() == 4);

        long began = System.nanoTime();
        assertThat(subscription.stop(Duration.ofMinutes(1))).isTrue();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
        await().until(() -> host.<Long>channel(channel -> channel.messageCount(QUEUE)) == 8);
    }

    @Test
    void stuckReceiversGetTheDeadlineAndAcknowledgeNothingAfterIt() {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(4);
        CountDownLatch ended = new CountDownLatch(4);
        Lifecycle subscription = subscriptions.subscribe(spec(QUEUE).withConcurrency(4, 20), batch -> {
            begun.countDown();
            awaitDeafly(release);
            ended.countDown();
            return List.of(new HandlerResult.Done());
        });
        for (int i = 0; i < 8; i++) {
            publish(QUEUE, "e-" + i, Map.of());
        }
        subscription.start();
        await().until(() -> begun.getCount() == 0);

        long began = System.nanoTime();
        assertThat(subscription.stop(Duration.ofMillis(300))).isFalse();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        release.countDown();
        await().until(() -> ended.getCount() == 0);

        assertThat(took).isLessThan(Duration.ofSeconds(12));
        subscribe(QUEUE, delivery -> new HandlerResult.Done());
        await().until(() -> received.size() == 8);
    }

    /** Ignores interrupts, as a driver's call may. */
    private static void awaitDeafly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for something that never comes, until its waiting is ended. */
    private static final class WaitingReceiver implements Receiver {

        private final AtomicInteger now = new AtomicInteger();
        private final CountDownLatch ended = new CountDownLatch(1);

        @Override
        public List<HandlerResult> receive(List<Delivery> batch) throws InterruptedException {
            now.incrementAndGet();
            ended.await();
            throw new InterruptedException("the waiting was ended");
        }

        @Override
        public void endWaiting() {
            ended.countDown();
        }
    }

    @Test
    void aMessageDeadLetteredTwiceByACrashIsOneLetter() {
        BasicProperties original = new BasicProperties.Builder()
                .messageId("e-1")
                .headers(Map.of("waybill-seq", 7L))
                .build();
        byte[] body = {1, 2, 3};
        String once = DeadLetterKey.of(QUEUE, RepublishHeaders.forDeadLetter(original, QUEUE, "one"), body);

        assertThat(DeadLetterKey.of(QUEUE, RepublishHeaders.forDeadLetter(original, QUEUE, "another error"), body))
                .isEqualTo(once);
        assertThat(DeadLetterKey.of(
                        QUEUE,
                        RepublishHeaders.forDeadLetter(RepublishHeaders.forReplay(original), QUEUE, "one"),
                        body))
                .isNotEqualTo(once);
        BasicProperties nameless = new BasicProperties();
        assertThat(DeadLetterKey.of(QUEUE, RepublishHeaders.forDeadLetter(nameless, QUEUE, "one"), body))
                .isNotEqualTo(DeadLetterKey.of(QUEUE, RepublishHeaders.forDeadLetter(nameless, QUEUE, "one"), body));
    }

    @Test
    void aLongErrorIsCut() {
        BasicProperties letter = RepublishHeaders.forDeadLetter(new BasicProperties(), QUEUE, "x".repeat(499) + "😀");

        assertThat(letter.getHeaders().get("x-waybill-error")).isEqualTo("x".repeat(499));
    }

    private SubscriptionSpec spec(String queue) {
        return SubscriptionSpec.of(queue, "marketplace").withRetryDelays(List.of(DELAY));
    }

    private Lifecycle subscribe(String queue, Function<Delivery, HandlerResult> rule) {
        Receiver receiver = batch -> {
            received.addAll(batch);
            return batch.stream().map(rule).toList();
        };
        Lifecycle subscription = subscriptions.subscribe(spec(queue).withConcurrency(1, 20), receiver);
        subscription.start();
        return subscription;
    }

    private void collect(String queue) {
        subscriptions.deadLetters(spec(queue)).collect(letters::add).start();
    }

    private void publish(String queue, String id, Map<String, Object> headers) {
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(id)
                .type("ORDER_CREATED")
                .correlationId("c-1")
                .priority(3)
                .expiration("60000")
                .timestamp(java.util.Date.from(java.time.Instant.ofEpochMilli(1_770_201_000_000L)))
                .headers(headers)
                .build();
        host.channel(channel -> {
            channel.confirmSelect();
            channel.basicPublish("", queue, true, properties, "{}".getBytes(StandardCharsets.UTF_8));
            try {
                return channel.waitForConfirms();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private Set<String> queues() {
        String json = server.manage("GET", "/api/queues/" + host.vhost() + "?columns=name", "");
        return Pattern.compile("\"name\":\"([^\"]+)\"")
                .matcher(json)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }
}
