package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.HandlerResult.Done;
import dev.waybill.message.HandlerResult.Reject;
import dev.waybill.message.HandlerResult.Retry;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.Delivery;
import dev.waybill.transport.SubscriptionSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One bad message is set aside where it is found, and those behind it go on. */
@Servers(Server.RABBITMQ)
class PoisonTest {

    private static final String EXCHANGE = "order.events.exchange";
    private static final String QUEUE = "inventory.update.queue";
    private static final String DEAD = "order.dlq.queue";
    private static final int SEVENTY_MEGABYTES = 70 * 1024 * 1024;
    private static final int MAX_BODY = 4 * 1024 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] SMALL = "{}".getBytes(StandardCharsets.UTF_8);

    private final RabbitMq server;
    private final List<Delivery> received = new CopyOnWriteArrayList<>();
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private RabbitMqFixture host;
    private RabbitMqSubscriptions subscriptions;

    PoisonTest(RabbitMq server) {
        this.server = server;
    }

    @BeforeEach
    void declare() {
        host = new RabbitMqFixture(server);
        host.channel(channel -> {
            channel.exchangeDeclare(EXCHANGE, "topic", true);
            channel.queueDeclare(DEAD, true, false, false, null);
            channel.queueBind(DEAD, EXCHANGE, "order.dlq");
            return channel.queueDeclare(QUEUE, true, false, false, null);
        });
        subscriptions = RabbitMqSubscriptions.builder(host.factory())
                .deadLetters(new DeadLetterRoute.Published(EXCHANGE, "order.dlq", DEAD))
                .build();
    }

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @Test
    void aMessageOfSeventyMegabytesIsRejectedAndTheOthersGoOn() {
        host.publish(QUEUE, List.of(message("large")), new byte[SEVENTY_MEGABYTES]);
        List<String> small = publish(200);

        subscribe(delivery -> delivery.body().length > MAX_BODY ? new Reject("too large") : new Done());

        awaitAll(small);
        await().atMost(PATIENCE).until(() -> ready(DEAD) == 1);
        collect();
        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("large");
        assertThat(letters.get(0).body()).hasSize(SEVENTY_MEGABYTES);
        assertEmptyAfterAStop();
    }

    @Test
    void aRetryThatTheBrokerRefusesForGoodIsADeadLetter() {
        host.channel(
                channel -> // with other arguments than ours: every declaration is refused
                channel.queueDeclare("waybill.retry." + QUEUE + ".100", true, false, false, Map.of("x-max-length", 1)));
        collect();
        List<String> others = publish(100);
        host.publish(QUEUE, List.of(message("poison")), SMALL);

        subscribe(delivery -> "poison".equals(delivery.messageId()) ? new Retry("not now") : new Done());

        awaitAll(others);
        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("poison");
        assertThat(letters.get(0).error()).startsWith("not now; its retry was refused: TOPIC_UNAVAILABLE: 406");
        assertEmptyAfterAStop();
    }

    @Test
    void aLetterWhoseExchangeIsMissingIsSavedHere() {
        host.channel(channel -> channel.exchangeDelete(EXCHANGE));
        collect();

        String alert = rejectAndAwaitTheAlert();

        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("poison");
        assertThat(letters.get(0).error()).isEqualTo("never");
        assertThat(alert).contains("404").contains("the table of dead letters");
        assertEmptyAfterAStop();
    }

    @Test
    void aLetterWhoseExchangeIsMissingGoesToItsQueueByNameWhenNobodyCollectsHere() {
        host.channel(channel -> channel.exchangeDelete(EXCHANGE));

        assertThat(rejectAndAwaitTheAlert()).contains("404").endsWith("it is in " + DEAD);

        assertThat(ready(DEAD)).isEqualTo(1);
        assertEmptyAfterAStop();
    }

    @Test
    void aLetterWhoseQueueIsMissingWaitsInAQueueOfItsOwn() {
        host.channel(channel -> channel.queueDelete(DEAD));

        assertThat(rejectAndAwaitTheAlert()).contains("NO_ROUTE").endsWith("it is in waybill.dead." + QUEUE);

        assertThat(ready("waybill.dead." + QUEUE)).isEqualTo(1);
        assertEmptyAfterAStop();
    }

    @Test
    void aLetterThatTheBrokerFindsTooLargeIsHeldWithOneAlertUntilSomebodyCollectsHere() {
        host.publish(QUEUE, List.of(message("poison")), new byte[150_000]);
        List<String> others = publish(100);
        server.rabbitmqctl("eval", "application:set_env(rabbit, max_message_size, 100000).");
        try (LoggedLines log = new LoggedLines(Acknowledger.class)) {
            subscribe(PoisonTest::rejectThePoison);

            awaitAll(others);
            await().atMost(PATIENCE).until(() -> log.count("Dead letter not confirmed") >= 3);
            assertThat(log.count("[ALERT] The route refuses a dead letter")).isEqualTo(1);
            collect();
            await().atMost(PATIENCE).until(() -> letters.size() == 1);
        } finally {
            server.rabbitmqctl("eval", "application:set_env(rabbit, max_message_size, 134217728).");
        }
        assertThat(letters.get(0).messageId()).isEqualTo("poison");
        assertEmptyAfterAStop();
    }

    @Test
    void headersThatLeaveNoRoomForOursStayBehindAndTheLetterSaysSo() {
        BasicProperties crowded = message("poison")
                .builder()
                .headers(Map.of("large", "x".repeat(130_980), "small", "kept"))
                .build();
        List<String> others = publishBehind(crowded);
        try (LoggedLines log = new LoggedLines(Acknowledger.class)) {
            subscribe(PoisonTest::rejectThePoison);

            awaitAll(others);
            await().atMost(PATIENCE).until(() -> ready(DEAD) == 1);
            await().atMost(PATIENCE).until(() -> log.count("[ALERT] Headers do not fit") == 1);
        }
        collect();
        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("poison");
        assertThat(letters.get(0).error()).isEqualTo("left out 1 headers, the largest is large; never");
        assertThat(letters.get(0).headers()).containsEntry("small", "kept").doesNotContainKey("large");
        assertEmptyAfterAStop();
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MAX_VALUE, 1_000, 0, -5, Integer.MIN_VALUE})
    void aForgedCountGivesAsManyDeliveriesAsAnyOther(int forged) {
        collect();
        BasicProperties message = message("forged")
                .builder()
                .headers(Map.of("x-waybill-attempt", forged))
                .build();
        host.publish(QUEUE, List.of(message), SMALL);

        subscribe(delivery -> new Retry("always"));

        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(received).extracting(Delivery::attempt).containsExactly(1, 2, 3);
    }

    @Test
    void anErrorThatComesEachTimeSpendsTheDeliveriesAndHoldsUpNobody() {
        collect();
        host.publish(QUEUE, List.of(message("poison")), SMALL);
        List<String> others = publish(100);

        subscribe(delivery -> {
            if ("poison".equals(delivery.messageId())) {
                throw new OutOfMemoryError("planted");
            }
            return new Done();
        });

        awaitAll(others);
        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("poison");
        assertThat(letters.get(0).error()).isEqualTo("java.lang.OutOfMemoryError: planted");
        assertThat(received)
                .filteredOn(delivery -> "poison".equals(delivery.messageId()))
                .extracting(Delivery::attempt)
                .containsExactly(1, 1, 1, 2, 2, 2, 3, 3, 3);
        assertEmptyAfterAStop();
    }

    @Test
    void whatAMessageSaysForgesNoLogLine() {
        BasicProperties forged = message("e-1\nERROR forged eventId=e-2")
                .builder()
                .headers(Map.of("x-waybill-source", "q\r\nforged " + "x".repeat(5_000)))
                .build();
        host.publish(DEAD, List.of(forged), SMALL);
        host.publish(QUEUE, List.of(forged), SMALL);
        try (LoggedLines answers = new LoggedLines(Acknowledger.class);
                LoggedLines collector = new LoggedLines(DeadLetterCollector.class)) {
            collect();
            subscribe(delivery -> new Reject("bad\r\nERROR forged " + "x".repeat(5_000)));

            await().atMost(PATIENCE).until(() -> letters.size() == 1 && collector.count("Nobody here collects") == 1);
            await().atMost(PATIENCE).until(() -> answers.count("Dead letter eventId=e-1") == 1);
            assertThat(answers.all()).allMatch(PoisonTest::isOneShortLine);
            assertThat(collector.all()).allMatch(PoisonTest::isOneShortLine);
        }
    }

    private static boolean isOneShortLine(String line) {
        return line.length() < 2_000 && line.chars().noneMatch(Character::isISOControl);
    }

    private static HandlerResult rejectThePoison(Delivery delivery) {
        return "poison".equals(delivery.messageId()) ? new Reject("never") : new Done();
    }

    private List<String> publishBehind(BasicProperties poison) {
        host.publish(QUEUE, List.of(poison), SMALL);
        return publish(100);
    }

    private String rejectAndAwaitTheAlert() {
        List<String> others = publishBehind(message("poison"));
        try (LoggedLines log = new LoggedLines(Acknowledger.class)) {
            subscribe(PoisonTest::rejectThePoison);
            awaitAll(others);
            await().atMost(PATIENCE).until(() -> log.count("[ALERT]") == 1);
            return log.all().stream()
                    .filter(line -> line.startsWith("ERROR") && line.contains("[ALERT]"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void assertEmptyAfterAStop() {
        subscriptions.close();
        assertThat(ready(QUEUE)).isZero();
    }

    private void awaitAll(List<String> ids) {
        await().atMost(PATIENCE)
                .until(() -> received.stream().map(Delivery::messageId).toList().containsAll(ids));
    }

    private long ready(String queue) {
        return host.<Long>channel(channel -> channel.messageCount(queue));
    }

    private static SubscriptionSpec spec() {
        return SubscriptionSpec.of(QUEUE, "marketplace")
                .withConcurrency(1, 20)
                .withRetryDelays(List.of(Duration.ofMillis(100), Duration.ofMillis(100)));
    }

    private void subscribe(Function<Delivery, HandlerResult> rule) {
        subscriptions
                .subscribe(spec(), batch -> {
                    received.addAll(batch);
                    return batch.stream().map(rule).toList();
                })
                .start();
    }

    private void collect() {
        subscriptions.deadLetters(spec()).collect(letters::add).start();
    }

    private List<String> publish(int count) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> "e-" + i).toList();
        host.publish(QUEUE, ids.stream().map(PoisonTest::message).toList(), SMALL);
        return ids;
    }

    private static BasicProperties message(String id) {
        return new BasicProperties.Builder().messageId(id).deliveryMode(2).build();
    }
}
