package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Letters that nobody here collects, in front of letters that somebody does. */
@Servers(Server.RABBITMQ)
class ForeignLettersTest {

    private static final String QUEUE = "inventory.update.queue";
    private static final String DEAD = "order.dlq.queue";
    private static final int FOREIGN = 1_000;
    /** A letter that comes just after a walk through the queue waits for the next one: ten times as long as the walk took. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

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
    @ValueSource(strings = {"classic", "quorum"})
    void aThousandOfThemHideNobodysAndStayInTheirQueue(String type) {
        Map<String, Object> arguments = "quorum".equals(type)
                ? Map.of("x-queue-type", "quorum", "x-delivery-limit", 3)
                : Map.of("x-queue-type", "classic");
        host.channel(channel -> channel.queueDeclare(DEAD, true, false, false, arguments));
        List<BasicProperties> foreign = new ArrayList<>();
        for (int i = 0; i < FOREIGN; i++) {
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
        await().atMost(PATIENCE).until(() -> host.<Long>channel(channel -> channel.messageCount(DEAD)) >= FOREIGN);
        assertThat(host.arrivedIn(DEAD))
                .as("each once, as it was")
                .hasSize(FOREIGN)
                .containsExactlyInAnyOrderElementsOf(foreign.stream()
                        .map(each ->
                                each.getMessageId() + "@" + each.getHeaders().get("x-waybill-source"))
                        .toList());
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
