package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.waybill.rabbitmq.HeldLetters.Offer;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendResult.NotConfirmed;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Letters in hand and their copies, without the collector around them. */
@Servers(Server.RABBITMQ)
class LetterMoverTest {

    private static final String DEAD = "order.dlq.queue";
    private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(60);

    private final RabbitMq server;
    private final HeldLetters held = new HeldLetters(letter -> Offer.REFUSED, source -> true);
    private Connection connection;
    private Channel channel;
    private Republisher republisher;
    private long tags;

    LetterMoverTest(RabbitMq server) {
        this.server = server;
    }

    @BeforeEach
    void open() throws IOException, TimeoutException {
        ConnectionFactory factory = new RabbitMqFixture(server).factory();
        connection = factory.newConnection();
        channel = connection.createChannel();
        channel.queueDeclare(DEAD, true, false, false, null);
        RabbitMqSettings settings = new RabbitMqSettings(
                "rabbitmq",
                factory,
                List.of(new Address(factory.getHost(), factory.getPort())),
                CONFIRM_TIMEOUT,
                Duration.ofMillis(100),
                Duration.ofSeconds(5),
                TopologyDeclarer.NOTHING);
        republisher = new Republisher(settings, RetryQueues.QUORUM);
    }

    @AfterEach
    void close() {
        republisher.close();
        connection.abort(1_000);
    }

    /** The broker takes the copies from the wire and answers nothing. */
    @Test
    @Tag("outage")
    void copiesThatNobodyConfirmsTakeNoLongerThanAStopHas() {
        LetterMover mover = new LetterMover(DEAD, republisher, held);
        held.add(letter(2, Map.of("x-delivery-count", 1)));
        assertThat(republisher.ready(DEAD)).as("connected already").isZero();

        long began = System.nanoTime();
        server.pause();
        try {
            mover.moveCounted(TimeUnit.SECONDS.toNanos(1));
        } finally {
            server.resume();
        }

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(CONFIRM_TIMEOUT.dividedBy(2));
        assertThat(held.size()).as("stays in hand").isEqualTo(1);
    }

    @Test
    void whatIsHeldIsCountedWithItsHeaders() {
        String text = "x".repeat(10_000);
        Map<String, Object> nested = Map.of(
                "text", LongStringHelper.asLongString(text), "binary", new byte[10_000], "list", List.of(text, 7));
        held.add(letter(1_000, Map.of("plain", text, "table", nested)));

        assertThat(held.bytes()).isBetween(41_000L, 42_000L);
    }

    @Test
    void soManyAreMovedAtOnceAsTheirBytesAllow() {
        held.add(letter(8_000_000, Map.of()));
        for (int i = 0; i < 5; i++) {
            held.add(letter(1_500_000, Map.of("small", i)));
        }

        assertThat(held.oldest(each -> true, 20)).as("one at least").hasSize(1);
        assertThat(held.oldest(each -> each.bytes < 8_000_000, 20)).hasSize(2);
        assertThat(held.oldest(each -> each.bytes < 8_000_000, 1)).hasSize(1);
    }

    @Test
    void oneThatTheBrokerFindsTooLargeIsRefusedAloneAndNotSentAgain() {
        UnackedMessage first = letter(2, Map.of());
        UnackedMessage large = letter(150_000, Map.of());
        UnackedMessage larger = letter(160_000, Map.of());
        UnackedMessage last = letter(2, Map.of());
        List<UnackedMessage> together = List.of(first, large, larger, last);
        server.rabbitmqctl("eval", "application:set_env(rabbit, max_message_size, 100000).");
        try {
            Map<UnackedMessage, SendResult> results = republisher.publishAgain(DEAD, together, Long.MAX_VALUE);

            assertThat(failure(results, large)).isEqualTo(SendFailure.TOO_LARGE);
            assertThat(failure(results, larger)).isEqualTo(SendFailure.TOO_LARGE);
            assertThat(failure(results, last)).isEqualTo(SendFailure.TOPIC_UNAVAILABLE);

            results = republisher.publishAgain(DEAD, together, Long.MAX_VALUE);

            assertThat(failure(results, large)).isEqualTo(SendFailure.TOO_LARGE);
            assertThat(failure(results, larger)).isEqualTo(SendFailure.TOO_LARGE);
            assertThat(failure(results, first)).isNull();
            assertThat(failure(results, last)).isNull();
        } finally {
            server.rabbitmqctl("eval", "application:set_env(rabbit, max_message_size, 134217728).");
        }
    }

    @Test
    void whenNoneIsAsLargeAsTheBrokerSaysTheLargestIsMeant() {
        UnackedMessage small = letter(2, Map.of());
        UnackedMessage large = letter(3, Map.of());
        PendingCopies copies = new PendingCopies();
        copies.refuseTooLarge(List.of(small, large), 100, new NotConfirmed(SendFailure.TOO_LARGE, "planted"));

        Map<UnackedMessage, SendResult> results =
                copies.results(List.of(small, large), new NotConfirmed(SendFailure.TOPIC_UNAVAILABLE, "planted"), true);

        assertThat(failure(results, large)).isEqualTo(SendFailure.TOO_LARGE);
        assertThat(failure(results, small)).isEqualTo(SendFailure.TOPIC_UNAVAILABLE);
    }

    private static @Nullable SendFailure failure(Map<UnackedMessage, SendResult> results, UnackedMessage letter) {
        return results.get(letter) instanceof NotConfirmed refused ? refused.failure() : null;
    }

    private UnackedMessage letter(int size, Map<String, Object> headers) {
        BasicProperties properties = new BasicProperties.Builder()
                .messageId("e-" + ++tags)
                .headers(headers)
                .build();
        return new UnackedMessage(channel, tags, properties, new byte[size]);
    }
}
