package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Sends.assertConfirmed;
import static dev.waybill.rabbitmq.Sends.messages;
import static dev.waybill.rabbitmq.Sends.outcomes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Connection;
import dev.waybill.lifecycle.Lifecycle;
import dev.waybill.message.Destination;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.SubscriptionSpec;
import dev.waybill.transport.TransportException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What is declared, when, and what is said where it differs from what the broker has. */
@Servers(Server.RABBITMQ)
class RabbitMqTopologyTest {

    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

    private final RabbitMqFixture host;

    RabbitMqTopologyTest(RabbitMq server) {
        this.host = new RabbitMqFixture(server);
    }

    @Test
    void theFirstEventFindsItsQueueAndDeclaringAgainChangesNothing() throws IOException, TimeoutException {
        RabbitMqTopology topology = RabbitMqTopology.builder()
                .exchange("shop", "topic")
                .queue("orders", QUORUM)
                .binding("orders", "shop", "order.*")
                .build();
        try (RabbitMqTransport transport =
                RabbitMqTransport.builder(host.factory()).topology(topology).build()) {
            transport.start();
            await().until(() -> transport.probe(SendTarget.WHOLE_BROKER));
            assertConfirmed(outcomes(transport, messages(Destination.of("shop", "order.created"), 1)));
        }
        declare(topology);
        assertThat(host.arrivedIn("orders")).hasSize(1);
    }

    @Test
    void aQueueThatIsThereWithAnotherTypeIsNamedWithTheArgument() {
        host.channel(channel -> channel.queueDeclare("letters", true, false, false, Map.of()));
        RabbitMqTopology topology =
                RabbitMqTopology.builder().queue("letters", QUORUM).build();

        assertThatThrownBy(() -> declare(topology))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("queue letters is there already", "x-queue-type", "quorum");
    }

    @Test
    void aBindingToAnExchangeThatIsNotThereIsNamed() {
        RabbitMqTopology topology = RabbitMqTopology.builder()
                .queue("bound", Map.of())
                .binding("bound", "nowhere", "key")
                .build();

        assertThatThrownBy(() -> declare(topology))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("binding of queue bound to exchange nowhere", "NOT_FOUND");
    }

    @Test
    void whatIsRefusedKeepsNothingElseFromBeingDeclaredAndAllOfItIsNamed() throws IOException, TimeoutException {
        host.channel(channel -> channel.queueDeclare("first", true, false, false, Map.of()));
        RabbitMqTopology topology = RabbitMqTopology.builder()
                .exchange("rest", "topic")
                .queue("first", QUORUM)
                .queue("second", Map.of())
                .binding("second", "nowhere", "key")
                .binding("second", "rest", "key")
                .build();

        assertThatThrownBy(() -> declare(topology))
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("queue first is there already", "binding of queue second to exchange nowhere")
                .satisfies(e -> assertThat(RabbitMqTopology.refusals(e))
                        .extracting(AMQP.Channel.Close::getReplyCode)
                        .containsExactlyInAnyOrder(AMQP.PRECONDITION_FAILED, AMQP.NOT_FOUND));
        host.channel(channel -> {
            channel.basicPublish("rest", "key", null, new byte[0]);
            return null;
        });
        await().until(() -> host.channel(channel -> channel.messageCount("second")) == 1);
    }

    @Test
    void aBindingIsMadeWhileAConsumerStaysConnectedOnceItsExchangeIsThere() {
        RabbitMqTopology topology = RabbitMqTopology.builder()
                .queue("early", Map.of())
                .binding("early", "late", "key")
                .build();
        List<String> received = new CopyOnWriteArrayList<>();
        try (LoggedLines declared = new LoggedLines(ConnectionAttempt.class);
                LoggedLines consumer = new LoggedLines(RabbitMqConsumer.class);
                RabbitMqSubscriptions subscriptions = RabbitMqSubscriptions.builder(host.factory())
                        .deadLetters(new DeadLetterRoute.Rejected("dead"))
                        .longestReconnect(Duration.ofMillis(300))
                        .topology(topology)
                        .build()) {
            Lifecycle subscription = subscriptions.subscribe(SubscriptionSpec.of("early", "group"), batch -> {
                batch.forEach(delivery -> received.add(String.valueOf(delivery.messageId())));
                return batch.stream()
                        .<HandlerResult>map(any -> HandlerResult.DONE)
                        .toList();
            });
            subscription.start();
            await().until(() -> consumer.count("Consuming queue=early") == 1);
            host.channel(channel -> channel.exchangeDeclare("late", "topic", true));
            await().until(() -> declared.count("Declared what the broker refused before") == 1);
            host.channel(channel -> {
                channel.basicPublish(
                        "late",
                        "key",
                        new BasicProperties.Builder().messageId("e-1").build(),
                        new byte[0]);
                return null;
            });
            await().until(() -> received.contains("e-1"));
            assertThat(declared.count("before what it names is there")).isEqualTo(1);
            assertThat(consumer.count("Consuming queue=early")).isEqualTo(1);
        }
    }

    @Test
    void aRunningTransportGoesOnWithWhatTheBrokerHas() {
        Destination to = host.freshDestination();
        host.channel(channel -> channel.queueDeclare("old", true, false, false, Map.of()));
        try (LoggedLines log = new LoggedLines(ConnectionAttempt.class);
                RabbitMqTransport transport = RabbitMqTransport.builder(host.factory())
                        .topology(
                                RabbitMqTopology.builder().queue("old", QUORUM).build())
                        .build()) {
            transport.start();
            await().until(() -> transport.probe(SendTarget.WHOLE_BROKER));
            assertConfirmed(outcomes(transport, messages(to, 1)));
            assertThat(log.count("queue old is there already")).isEqualTo(1);
        }
    }

    private void declare(RabbitMqTopology topology) throws IOException, TimeoutException {
        try (Connection connection = host.factory().newConnection()) {
            topology.declare(connection);
        }
    }
}
