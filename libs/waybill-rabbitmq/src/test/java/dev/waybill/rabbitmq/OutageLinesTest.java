package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Sends.failureOrNull;
import static dev.waybill.rabbitmq.Sends.message;
import static dev.waybill.rabbitmq.Sends.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.Destination;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.SubscriptionSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An outage is told when it begins and when it ends, however often a connection or a send is tried meanwhile. */
@Servers(Server.RABBITMQ)
class OutageLinesTest {

    private static final int ATTEMPTS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Sender and receiver lose their connection, cannot have another, and have one again: six lines. Where all this takes a
     * minute, what lasts is told three times more by each.
     */
    private static final int MOST_LINES = 12;

    @Test
    void aBrokerThatIsAwayForAHundredAttemptsIsAFewLines(RabbitMq server) {
        RabbitMqFixture fixture = new RabbitMqFixture(server);
        Destination to = fixture.freshDestination();
        AtomicInteger attempts = new AtomicInteger();
        try (FaultProxy proxy = FaultProxy.to(server)) {
            ConnectionFactory factory =
                    RabbitMqFixture.factory(server.amqpUri(proxy.host(), proxy.port(), fixture.vhost()));
            factory.setSocketConfigurator(socket -> attempts.incrementAndGet());
            try (RabbitMqTransport transport = RabbitMqTransport.builder(factory)
                            .reconnect(Duration.ofMillis(10), Duration.ofMillis(10))
                            .build();
                    RabbitMqSubscriptions subscriptions = RabbitMqSubscriptions.builder(factory)
                            .deadLetters(new DeadLetterRoute.Published("", to.topic(), to.topic()))
                            .longestReconnect(Duration.ofMillis(100))
                            .build()) {
                transport.start();
                Lifecycle receiver = subscriptions.subscribe(
                        SubscriptionSpec.of(to.topic(), "g"),
                        batch -> batch.stream()
                                .<HandlerResult>map(delivery -> HandlerResult.DONE)
                                .toList());
                receiver.start();
                untilBothWork(transport, receiver);

                try (LoggedLines log = LoggedLines.ofEverybody()) {
                    int before = attempts.get();
                    proxy.refuse();
                    await().atMost(PATIENCE).until(() -> {
                        assertThat(failureOrNull(outcome(transport, message(to, 10))))
                                .isNotNull();
                        return attempts.get() >= before + ATTEMPTS;
                    });
                    proxy.heal();
                    untilBothWork(transport, receiver);

                    List<String> lines = atInfoAndAbove(log).toList();
                    assertThat(lines).hasSizeLessThanOrEqualTo(MOST_LINES);
                    assertThat(lines)
                            .noneMatch(line -> line.contains("connection driver error")) // the client has its say too
                            .anyMatch(line -> line.contains("Sends nothing"))
                            .anyMatch(line -> line.contains("Receives nothing"))
                            .anyMatch(line -> line.contains("Connected"))
                            .anyMatch(line -> line.contains("Consuming"));
                }
            }
        }
    }

    private static void untilBothWork(RabbitMqTransport transport, Lifecycle receiver) {
        await().atMost(PATIENCE).until(() -> transport.obstacle() == null && receiver.isRunning());
    }

    private static Stream<String> atInfoAndAbove(LoggedLines log) {
        return log.all().stream().filter(line -> !line.startsWith("DEBUG") && !line.startsWith("TRACE"));
    }
}
