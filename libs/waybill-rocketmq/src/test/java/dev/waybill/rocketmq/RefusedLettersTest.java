package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.message.DeadLetter;
import dev.waybill.message.HandlerResult;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.transport.SubscriptionSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Letters that the table of dead letters cannot take. */
@Servers(Server.ROCKETMQ)
class RefusedLettersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final RocketMq server;
    private final RocketMqSubscriptions subscriptions;
    private final DefaultMQProducer producer;
    private final List<DeadLetter> offered = new CopyOnWriteArrayList<>();
    private final List<DeadLetter> saved = new CopyOnWriteArrayList<>();
    private final String topic = "T-" + UUID.randomUUID();
    private final SubscriptionSpec spec = SubscriptionSpec.of(topic, "g-" + UUID.randomUUID());

    RefusedLettersTest(RocketMq server) {
        this.server = server;
        this.subscriptions = RocketMqSubscriptions.builder(server.nameServer())
                .pollNameServer(Duration.ofSeconds(1))
                .build();
        this.producer = ClientProducers.make(RocketMqTransport.builder(server.nameServer()));
    }

    @BeforeEach
    void rejectEverything() {
        server.createTopic(topic);
        subscriptions
                .subscribe(
                        spec,
                        batch -> batch.stream()
                                .<HandlerResult>map(each -> new HandlerResult.Reject("never"))
                                .toList())
                .start();
    }

    @AfterEach
    void close() {
        subscriptions.close();
        BackgroundShutdown.of(producer::shutdown, "test");
    }

    @Test
    void aLetterThatItsSinkRefusesIsSetAsideAndThoseBehindItGoOn() throws Exception {
        AtomicBoolean mended = new AtomicBoolean();
        subscriptions
                .deadLetters(spec)
                .collect(letter -> {
                    offered.add(letter);
                    if ("odd".equals(letter.messageId()) && !mended.get()) {
                        throw new IllegalStateException("the column is too narrow");
                    }
                    saved.add(letter);
                })
                .start();

        producer.send(message("odd"));
        await().atMost(PATIENCE).until(() -> !offered.isEmpty());
        producer.send(message("even-1"));
        producer.send(message("even-2"));

        await().atMost(PATIENCE).until(() -> saved.size() == 2);
        assertThat(saved).extracting(DeadLetter::messageId).containsExactlyInAnyOrder("even-1", "even-2");
        mended.set(true);
        await().atMost(PATIENCE).until(() -> saved.size() == 3);
        assertThat(saved.get(2).key()).isEqualTo(offered.get(0).key());
        assertThat(saved.get(2).error()).isEqualTo("never");
        assertThat(saved.get(2).headers()).isEqualTo(offered.get(0).headers());
    }

    @Test
    void aLettersKeyFitsItsColumnWhateverTheSenderCallsItsMessage() throws Exception {
        subscriptions.deadLetters(spec).collect(saved::add).start();
        String tooLong = "long".repeat(500);

        for (String id : List.of(tooLong + "1", tooLong + "2", "鍵\u0000\n")) {
            Message message = message("named");
            MessageAccessor.putProperty(message, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, id);
            producer.send(message);
        }

        await().atMost(PATIENCE).until(() -> saved.size() == 3);
        assertThat(saved)
                .extracting(DeadLetter::key)
                .doesNotHaveDuplicates()
                .allMatch(key -> key.matches("[!-~]{1,160}"));
    }

    private Message message(String key) {
        return new Message(topic, "", key, "{}".getBytes(StandardCharsets.UTF_8));
    }
}
