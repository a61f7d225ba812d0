package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Sends.assertConfirmed;
import static dev.waybill.rabbitmq.Sends.failure;
import static dev.waybill.rabbitmq.Sends.failureOrNull;
import static dev.waybill.rabbitmq.Sends.message;
import static dev.waybill.rabbitmq.Sends.messages;
import static dev.waybill.rabbitmq.Sends.outcome;
import static dev.waybill.rabbitmq.Sends.outcomes;
import static dev.waybill.rabbitmq.Sends.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.message.Message;
import dev.waybill.servers.FaultProxy;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.SendFailure;
import dev.waybill.transport.SendResult;
import dev.waybill.transport.SendTarget;
import dev.waybill.transport.TransportException;
import dev.waybill.transport.TransportException.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is RabbitMQ's own, beside the contract. */
@Servers(Server.RABBITMQ)
class RabbitMqTransportTest {

    private final RabbitMq server;
    private final RabbitMqFixture fixture;
    private final List<AutoCloseable> open = new ArrayList<>();

    RabbitMqTransportTest(RabbitMq server) {
        this.server = server;
        this.fixture = new RabbitMqFixture(server);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    @Tag("outage")
    void aMemoryAlarmBlocksAtOnceAndEndsByItself() {
        Destination to = fixture.freshDestination();
        RabbitMqTransport transport = started(builder -> builder.sendTimeout(Duration.ofSeconds(1)));
        assertConfirmed(outcomes(transport, messages(to, 1)));

        server.raiseMemoryAlarm();
        // The broker tells a connection of its alarm when it publishes next, not before.
        await().atMost(Duration.ofSeconds(10))
                .until(() -> failureOrNull(outcome(transport, message(to, 10))) == SendFailure.BLOCKED);
        long began = System.nanoTime();
        assertThat(outcomes(transport, messages(to, 100)))
                .allMatch(outcome -> failureOrNull(outcome) == SendFailure.BLOCKED);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(500));
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isFalse();

        server.clearMemoryAlarm();
        await().atMost(Duration.ofSeconds(10)).until(() -> transport.probe(SendTarget.WHOLE_BROKER));
        assertConfirmed(outcomes(transport, messages(to, 100)));
    }

    @Test
    void aQueueThatRejectsIsANackOfThatMessageAlone() {
        Destination full = fixture.unknownDestination();
        fixture.create(full, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        Destination roomy = fixture.freshDestination();
        RabbitMqTransport transport = started();
        assertConfirmed(outcomes(transport, messages(full, 1)));
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sent.addAll(messages(i % 2 == 0 ? full : roomy, 1));
        }

        List<SendResult> outcomes = outcomes(transport, sent);

        for (int i = 0; i < sent.size(); i++) {
            assertThat(failureOrNull(outcomes.get(i))).isEqualTo(i % 2 == 0 ? SendFailure.NACKED : null);
        }
        assertThat(fixture.arrived(roomy, 50)).hasSize(50);
    }

    @Test
    void twoMessagesOfOneIdInFlightGetTheirOwnOutcomes() {
        Destination bound = fixture.freshDestination();
        Destination unbound = Destination.of(bound.topic(), "nobody.listens");
        Event event = Event.of("OrderCreated", "{}");
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add(message(i % 3 == 0 ? unbound : bound, event));
        }

        List<SendResult> outcomes = outcomes(started(), sent);

        for (int i = 0; i < sent.size(); i++) {
            assertThat(failureOrNull(outcomes.get(i))).isEqualTo(i % 3 == 0 ? SendFailure.UNROUTABLE : null);
        }
    }

    @Test
    void latencyCostsTimeOnceNotPerMessage() {
        Destination to = fixture.freshDestination();
        FaultProxy proxy = proxy();
        RabbitMqTransport transport = through(proxy, builder -> builder);
        assertConfirmed(outcomes(transport, messages(to, 1)));
        proxy.latency(Duration.ofMillis(200));

        long began = System.nanoTime();
        assertConfirmed(outcomes(transport, messages(to, 2_000)));

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis(400), Duration.ofSeconds(6));
        assertThat(transport.probe(SendTarget.topic(to.topic()))).isTrue();
    }

    @Test
    void aConnectionThatIsCutIsMadeAnewAndNothingHangs() {
        Destination to = fixture.freshDestination();
        FaultProxy proxy = proxy();
        RabbitMqTransport transport = through(proxy, builder -> builder);
        assertConfirmed(outcomes(transport, messages(to, 1)));
        proxy.latency(Duration.ofMillis(200)); // keeps what follows unconfirmed until the cut

        List<CompletableFuture<SendResult>> inFlight = send(transport, messages(to, 500));
        proxy.cut();

        // What was written is lost; what still waited for the writer goes over the next connection.
        assertThat(outcomes(inFlight))
                .allMatch(outcome ->
                        outcome instanceof SendResult.Confirmed || failure(outcome) == SendFailure.CONNECTION_LOST)
                .anyMatch(outcome -> failureOrNull(outcome) == SendFailure.CONNECTION_LOST);
        proxy.heal();
        await().atMost(Duration.ofSeconds(10)).until(() -> transport.probe(SendTarget.topic(to.topic())));
        assertConfirmed(outcomes(transport, messages(to, 100)));
    }

    @Test
    void aSocketThatTakesNoBytesHoldsNobodyAndIsGivenUp() {
        Destination to = fixture.freshDestination();
        FaultProxy proxy = proxy();
        RabbitMqTransport transport = through(proxy, builder -> builder.sendTimeout(Duration.ofSeconds(1)));
        assertConfirmed(outcomes(transport, messages(to, 1)));
        proxy.blackhole();
        List<Message> flood = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            flood.add(message(to, 200_000)); // far more than the sockets between us can hold
        }

        long began = System.nanoTime();
        List<SendResult> outcomes = outcomes(transport, flood);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        assertThat(outcomes).noneMatch(SendResult.Confirmed.class::isInstance);
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isFalse();
        proxy.heal();
        await().atMost(Duration.ofSeconds(10)).until(() -> transport.probe(SendTarget.topic(to.topic())));
        assertConfirmed(outcomes(transport, messages(to, 100)));
    }

    @Test
    void aDeletedExchangeHurtsItsOwnMessagesOnly() {
        Destination doomed = fixture.freshDestination();
        Destination other = fixture.freshDestination();
        RabbitMqTransport transport = started();
        assertConfirmed(outcomes(transport, messages(doomed, 1)));
        assertConfirmed(outcomes(transport, messages(other, 1)));
        fixture.channel(channel -> channel.exchangeDelete(doomed.topic()));
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            sent.addAll(messages(i % 2 == 0 ? doomed : other, 1));
        }

        List<SendResult> outcomes = outcomes(transport, sent);

        for (int i = 0; i < sent.size(); i++) {
            assertThat(failureOrNull(outcomes.get(i))).isEqualTo(i % 2 == 0 ? SendFailure.TOPIC_UNAVAILABLE : null);
        }
    }

    @Test
    void aBrokerWithASmallerLimitCostsTheLargeMessageAlone() {
        Destination to = fixture.freshDestination();
        server.rabbitmqctl("eval", "application:set_env(rabbit, max_message_size, 100000).");
        try {
            RabbitMqTransport transport = started();
            List<Message> sent = new ArrayList<>(messages(to, 50));
            sent.add(25, message(to, 150_000));
            sent.add(40, message(to, 150_000));

            List<SendResult> outcomes = new ArrayList<>(outcomes(transport, sent));

            assertThat(failure(outcomes.remove(40))).isEqualTo(SendFailure.TOO_LARGE);
            assertThat(failure(outcomes.remove(25))).isEqualTo(SendFailure.TOO_LARGE);
            assertConfirmed(outcomes);
            assertThat(failure(outcome(transport, message(to, 100_001)))).isEqualTo(SendFailure.TOO_LARGE);
            assertConfirmed(outcomes(transport, List.of(message(to, 100_000))));
        } finally {
            server.rabbitmqctl("eval", "application:set_env(rabbit, max_message_size, 134217728).");
        }
    }

    @Test
    void whatAmqpCannotCarryIsRefusedAndTheRestFlowsOn() {
        Destination to = fixture.freshDestination();
        Event event = Event.of("OrderCreated", "{}");
        List<Message> sent = List.of(
                message(Destination.of(to.topic(), "中".repeat(86)), event),
                message(to, event.toBuilder().header("h".repeat(256), "v").build()),
                message(to, event.toBuilder().header("CC", "elsewhere").build()),
                message(to, event.toBuilder().header("BCC", "elsewhere").build()),
                message(
                        to,
                        event.toBuilder().header("large", "v".repeat(140_000)).build()),
                message(to, event.toBuilder().eventId("i".repeat(256)).build()),
                message(to, Event.of("t".repeat(256), "{}")),
                message(
                        to,
                        event.toBuilder().header("large", "v".repeat(100_000)).build()),
                message(
                        Destination.of(to.topic(), to.tag()),
                        event.toBuilder().header("", "").build()));

        List<SendResult> outcomes = outcomes(started(), sent);

        assertThat(outcomes.subList(0, 7)).allMatch(outcome -> failureOrNull(outcome) == SendFailure.ILLEGAL_MESSAGE);
        assertConfirmed(outcomes.subList(7, 9));
    }

    @Test
    void messagesArePersistentJsonWithTheEventsIdTypeAndTime() {
        Destination to = fixture.freshDestination();
        Instant time = Instant.parse("2026-03-04T05:06:07.089Z");
        Event event =
                Event.builder("OrderCreated").occurredAt(time).payload("{}").build();
        assertConfirmed(outcomes(started(), List.of(message(to, event))));

        GetResponse arrived = fixture.channel(channel -> channel.basicGet(to.topic(), true));

        assertThat(arrived.getProps().getDeliveryMode()).isEqualTo(2);
        assertThat(arrived.getProps().getMessageId()).isEqualTo(event.eventId());
        assertThat(arrived.getProps().getType()).isEqualTo("OrderCreated");
        assertThat(arrived.getProps().getContentType()).isEqualTo("application/json");
        assertThat(arrived.getProps().getContentEncoding()).isEqualTo("utf-8");
        assertThat(arrived.getProps().getTimestamp()).isEqualTo(Date.from(Instant.parse("2026-03-04T05:06:07Z")));
        assertThat(arrived.getProps().getHeaders()).doesNotContainKeys("traceId", "traceparent", "bizKey");
    }

    @Test
    void aWindowThatIsFullMakesSendWaitAndNothingGetsLost() {
        Destination to = fixture.freshDestination();
        RabbitMqTransport transport = started(builder -> builder.window(10));

        assertConfirmed(outcomes(transport, messages(to, 1_000)));

        assertThat(fixture.arrived(to, 1_000)).hasSize(1_000);
    }

    @Test
    void moreExchangesThanChannelsTakeTurns() {
        ConnectionFactory factory = fixture.factory();
        factory.setRequestedChannelMax(6);
        RabbitMqTransport transport = start(RabbitMqTransport.builder(factory).build());
        for (int i = 0; i < 15; i++) {
            assertConfirmed(outcomes(transport, messages(fixture.freshDestination(), 2)));
        }
        assertThat(transport.probe(SendTarget.WHOLE_BROKER)).isTrue();
    }

    @Test
    void unsafeSettingsDoNotStart() {
        assertUnsafe(builder -> builder.publisherConfirms(false), "publisherConfirms");
        assertUnsafe(builder -> builder.mandatory(false), "mandatory");
        assertUnsafe(builder -> builder.persistent(false), "persistent");
        assertThatThrownBy(() -> builder().sendTimeout(Duration.ZERO).build())
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_SETTING))
                .hasMessageContaining("sendTimeout");
    }

    private void assertUnsafe(UnaryOperator<RabbitMqTransport.Builder> setting, String name) {
        assertThatThrownBy(() -> started(setting))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNSAFE_SETTING))
                .hasMessageContaining(name);
    }

    private RabbitMqTransport.Builder builder() {
        return RabbitMqTransport.builder(fixture.factory());
    }

    private RabbitMqTransport started() {
        return started(builder -> builder);
    }

    private RabbitMqTransport started(UnaryOperator<RabbitMqTransport.Builder> settings) {
        return start(settings.apply(builder()).build());
    }

    private RabbitMqTransport through(FaultProxy proxy, UnaryOperator<RabbitMqTransport.Builder> settings) {
        String uri = server.amqpUri(proxy.host(), proxy.port(), fixture.vhost());
        return start(settings.apply(RabbitMqTransport.builder(RabbitMqFixture.factory(uri)))
                .build());
    }

    private RabbitMqTransport start(RabbitMqTransport transport) {
        transport.start();
        open.add(0, transport);
        return transport;
    }

    private FaultProxy proxy() {
        FaultProxy proxy = FaultProxy.to(server);
        open.add(proxy);
        return proxy;
    }
}
