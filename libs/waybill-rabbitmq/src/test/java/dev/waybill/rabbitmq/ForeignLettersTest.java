package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.DeadLetter;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.SubscriptionSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Letters that nobody here collects, in front of letters that somebody does. */
@Servers(Server.RABBITMQ)
class ForeignLettersTest {

    private static final String QUEUE = "inventory.update.queue";
    private static final String DEAD = "order.dlq.queue";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OTHERS = "queue.of.others";

    private final RabbitMq server;
    private final List<DeadLetter> letters = new CopyOnWriteArrayList<>();
    private RabbitMqFixture host;
    private RabbitMqSubscriptions subscriptions;

    ForeignLettersTest(RabbitMq server) {
        this.server = server;
    }

    @BeforeEach
    void open() {
        host = new RabbitMqFixture(server);
        subscriptions = RabbitMqSubscriptions.builder(host.factory())
                .deadLetters(new DeadLetterRoute.Published("", DEAD, DEAD))
                .build();
    }

    @AfterEach
    void close() {
        subscriptions.close();
    }

    @ParameterizedTest
    @CsvSource({"classic, 1000", "quorum, 1000", "classic, 5000"}) // of five thousand not all can be held
    void thousandsOfThemHideNobodysAndStayInTheirQueue(String type, int count) {
        Map<String, Object> arguments = "quorum".equals(type)
                ? Map.of("x-queue-type", "quorum", "x-delivery-limit", 3)
                : Map.of("x-queue-type", "classic");
        host.channel(channel -> channel.queueDeclare(DEAD, true, false, false, arguments));
        List<BasicProperties> foreign = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            foreign.add(letter("foreign-" + i, "queue.of.others." + i));
        }
        publish(foreign);
        publish(List.of(letter("ours-1", QUEUE)));
        try (LoggedLines log = new LoggedLines(DeadLetterCollector.class)) {
            Lifecycle collecting =
                    subscriptions.deadLetters(SubscriptionSpec.of(QUEUE, "g")).collect(letters::add);
            collecting.start();
            await().atMost(PATIENCE).until(() -> letters.size() == 1);

            publish(List.of(letter("ours-2", QUEUE)));
            await().atMost(PATIENCE).until(() -> letters.size() == 2);

            assertThat(collecting.stop(PATIENCE)).isTrue();
            assertThat(log.count("Nobody here collects")).isBetween(1L, 100L);
        }
        assertThat(letters).extracting(DeadLetter::messageId).containsExactly("ours-1", "ours-2");
        await().atMost(PATIENCE).until(() -> ready() >= count);
        assertThat(host.arrivedIn(DEAD).stream().sorted().toList()) // AssertJ would compare each with each
                .as("each once, as it was")
                .hasSize(count)
                .isEqualTo(foreign.stream()
                        .map(each ->
                                each.getMessageId() + "@" + each.getHeaders().get("x-waybill-source"))
                        .sorted()
                        .toList());
    }

    /** So few that the queue's limit of a hundred has room for none of their copies together. */
    @ParameterizedTest
    @ValueSource(strings = {"drop-head", "reject-publish"})
    void aQueueAtItsLimitLosesAndDoublesNoneOfThem(String overflow) {
        host.channel(channel ->
                channel.queueDeclare(DEAD, true, false, false, Map.of("x-max-length", 100, "x-overflow", overflow)));
        subscriptions
                .deadLetters(SubscriptionSpec.of(QUEUE, "g"))
                .collect(letters::add)
                .start();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            publish(foreign(ids, 50));
            await().atMost(PATIENCE).until(() -> ready() == 0);
        }
        publish(foreign(ids, 90));
        publish(List.of(letter("ours", QUEUE)));
        await().atMost(PATIENCE).until(() -> letters.size() == 1);

        subscriptions
                .deadLetters(SubscriptionSpec.of(OTHERS, "g"))
                .collect(letters::add)
                .start();

        ids.add("ours");
        await().atMost(PATIENCE).until(() -> letters.size() >= ids.size());
        await().atMost(PATIENCE).until(() -> ready() == 0);
        subscriptions.close();
        assertThat(letters).extracting(DeadLetter::messageId).containsExactlyInAnyOrderElementsOf(ids);
    }

    /** It closes the connection over a channel too many, and everything in hand goes back. */
    @Test
    void aBrokerThatRefusesAFurtherChannelIsNotAskedAgainAndAgain() {
        host.channel(channel -> channel.queueDeclare(DEAD, true, false, false, null));
        publish(foreign(new ArrayList<>(), 2_000));
        publish(List.of(letter("ours", QUEUE)));
        String user = "u-" + UUID.randomUUID();
        server.manage("PUT", "/api/users/" + user, "{\"password\":\"limited\",\"tags\":\"\"}");
        server.manage(
                "PUT",
                "/api/permissions/" + host.vhost() + "/" + user,
                "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
        server.manage("PUT", "/api/user-limits/" + user + "/max-channels", "{\"value\":2}");
        ConnectionFactory limited = host.factory();
        limited.setUsername(user);
        limited.setPassword("limited");
        RabbitMqSubscriptions few = RabbitMqSubscriptions.builder(limited)
                .deadLetters(new DeadLetterRoute.Published("", DEAD, DEAD))
                .build();
        try (LoggedLines log = new LoggedLines(RabbitMqConsumer.class)) {
            few.deadLetters(SubscriptionSpec.of(QUEUE, "g"))
                    .collect(letters::add)
                    .start();
            await().atMost(PATIENCE).until(() -> letters.size() == 1);
            assertThat(log.count("connecting anew")).isBetween(1L, 5L);
        } finally {
            few.close();
            server.manage("DELETE", "/api/users/" + user, "");
        }
        assertThat(letters).extracting(DeadLetter::messageId).containsExactly("ours");
    }

    /** Its headers are larger than what the collector's own connection may send. */
    @Test
    void oneThatCannotBeMovedKeepsNobodyElsesFromTheirReaders() {
        host.channel(channel -> channel.queueDeclare(DEAD, true, false, false, Map.of("x-queue-type", "quorum")));
        ConnectionFactory smallFrames = host.factory();
        smallFrames.setRequestedFrameMax(8_192);
        RabbitMqSubscriptions first = RabbitMqSubscriptions.builder(smallFrames)
                .deadLetters(new DeadLetterRoute.Published("", DEAD, DEAD))
                .build();
        Lifecycle collecting =
                first.deadLetters(SubscriptionSpec.of(QUEUE, "g")).collect(letters::add);
        publish(List.of(letter("crowded", "somebody's")
                .builder()
                .headers(Map.of("x-waybill-source", "somebody's", "large", "x".repeat(20_000)))
                .build()));
        try (LoggedLines log = new LoggedLines(LetterMover.class)) {
            collecting.start();
            await().atMost(PATIENCE).until(() -> ready() == 0);
            assertThat(collecting.stop(PATIENCE)).isTrue(); // the queue counts what it gets back
            await().atMost(PATIENCE).until(() -> ready() == 1);
            collecting.start();
            await().atMost(PATIENCE).until(() -> log.count("[ALERT] No copy of a letter can be sent") == 1);
            publish(List.of(letter("theirs", OTHERS)));
            await().atMost(PATIENCE).until(() -> ready() == 0);

            subscriptions
                    .deadLetters(SubscriptionSpec.of(OTHERS, "g"))
                    .collect(letters::add)
                    .start();

            await().atMost(PATIENCE).until(() -> letters.size() == 1);
        } finally {
            first.close();
        }
        assertThat(letters).extracting(DeadLetter::messageId).containsExactly("theirs");
    }

    /** Neither Waybill nor the broker put it there, so nothing says in which queue it failed. */
    @Test
    void oneThatNamesNoQueueIsSavedAsALetterOfTheDeadLetterQueueItself() {
        host.channel(channel -> channel.queueDeclare(DEAD, true, false, false, null));
        publish(List.of(new BasicProperties.Builder().messageId("by-hand").build()));

        subscriptions
                .deadLetters(SubscriptionSpec.of(QUEUE, "g"))
                .collect(letters::add)
                .start();

        await().atMost(PATIENCE).until(() -> letters.size() == 1);
        assertThat(letters.get(0).messageId()).isEqualTo("by-hand");
        assertThat(letters.get(0).source()).isEqualTo(DEAD);
        assertThat(letters.get(0).group()).isEqualTo("g");
    }

    private static List<BasicProperties> foreign(List<String> ids, int count) {
        List<BasicProperties> foreign = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add("foreign-" + ids.size());
            foreign.add(letter(ids.get(ids.size() - 1), OTHERS));
        }
        return foreign;
    }

    private long ready() {
        return host.<Long>channel(channel -> channel.messageCount(DEAD));
    }

    private static BasicProperties letter(String id, String source) {
        return new BasicProperties.Builder()
                .messageId(id)
                .deliveryMode(2)
                .headers(Map.of("x-waybill-source", source))
                .build();
    }

    private void publish(List<BasicProperties> messages) {
        host.publish(DEAD, messages, "{}".getBytes(StandardCharsets.UTF_8));
    }
}
