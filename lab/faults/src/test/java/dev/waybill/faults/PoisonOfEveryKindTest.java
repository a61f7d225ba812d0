package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.inbox.DeadLetters;
import dev.waybill.message.Event;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageBatch;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageDecoder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One bad message in front of good ones: the consumer goes on within five seconds, and the bad one is found afterwards. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
@Tag("scenario")
class PoisonOfEveryKindTest {

    private static final int LARGE = Scenario.length(70, 7) * 1024 * 1024;
    private static final int FOREIGN = Scenario.length(1_000, 300);
    private static final int GOOD = 200;

    /** A consumer has four threads, and each of them must get one. */
    private static final int EVERY_THREAD_TWICE = 8;

    private static final double MOST_SECONDS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @Test
    void aMessageOfSeventyMegabytes(PostgreSql sql, RabbitMq broker) {
        try (Consuming consuming = new Consuming(ConsumerTestEnvironment.of(sql, broker))) {
            BasicProperties large = new BasicProperties.Builder()
                    .messageId("large")
                    .deliveryMode(2)
                    .build();
            StoredLetter letter = consuming.goesOnAndFinds("a message of " + LARGE + " bytes", () -> {
                consuming.environment.publish(
                        consuming.environment.spec.text("source"), List.of(large), new byte[LARGE]);
                return "large";
            });

            assertThat(letter.letter().body()).hasSize(LARGE);
        }
    }

    @Test
    void aRetryThatTheBrokerRefusesForGood(PostgreSql sql, RabbitMq broker) {
        try (Consuming consuming = new Consuming(ConsumerTestEnvironment.of(sql, broker))) {
            consuming.environment.declareQueue( // with other arguments than ours: every declaration is refused
                    "waybill.retry." + consuming.environment.spec.text("source") + ".1000", Map.of("x-max-length", 1));
            Event poison = Producers.event();
            consuming.handler.broken.add(poison.eventId());
            StoredLetter letter = consuming.goesOnAndFinds("a retry refused for good", () -> {
                consuming.environment.send(List.of(poison));
                return poison.eventId();
            });

            assertThat(letter.letter().error()).contains("broken for now", "its retry was refused");
        }
    }

    @Test
    void emptyBodies(MariaDb sql, RocketMq broker) throws Exception {
        try (Consuming consuming = new Consuming(ConsumerTestEnvironment.of(sql, broker));
                Foreign foreign = new Foreign(consuming.environment)) {
            StoredLetter letter = consuming.goesOnAndFinds("an empty body", () -> foreign.sendPastChecks(""));

            assertThat(letter.letter().body()).isEmpty();
        }
    }

    @Test
    void aKeyThatDoesNotFit(MariaDb sql, RocketMq broker) throws Exception {
        try (Consuming consuming = new Consuming(ConsumerTestEnvironment.of(sql, broker));
                Foreign foreign = new Foreign(consuming.environment)) {
            String id = "id".repeat(1_000);
            StoredLetter letter = consuming.goesOnAndFinds("a letter key of 2,000 letters", () -> {
                Message message = foreign.message("long-key", "no envelope");
                MessageAccessor.putProperty(message, MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, id);
                foreign.producer.send(message);
                return "long-key";
            });
            assertThat(letter.letter().headers())
                    .containsEntry(MessageConst.PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX, id);
        }
    }

    @Test
    void lettersOfOthersInFrontOfOurs(PostgreSql sql, RabbitMq broker) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker);
                ConsumerNode node = new ConsumerNode(environment.spec, ConsumerNode::effect)) {
            List<String> foreign =
                    IntStream.range(0, FOREIGN).mapToObj(i -> "foreign-" + i).toList();
            environment.publishLetters(foreign, "queue.of.others");
            environment.publishLetters(List.of("ours-1"), environment.spec.text("source"));
            DeadLetters letters = node.letters().build();
            long begun = System.nanoTime();
            letters.start();
            double first = secondsUntilSaved(letters, 1, begun);
            begun = System.nanoTime();
            environment.publishLetters(List.of("ours-2"), environment.spec.text("source"));
            double second = secondsUntilSaved(letters, 2, begun);
            environment.print(
                    "%d foreign letters in front: ours saved after %.2f s, another after %.2f s",
                    FOREIGN, first, second);
            letters.stop(PATIENCE);

            assertInTime(Math.max(first, second));
            assertThat(environment.tables.texts("SELECT message_id FROM waybill_dead_letter ORDER BY id"))
                    .containsExactly("ours-1", "ours-2");
            await("the others are where they were")
                    .atMost(PATIENCE)
                    .until(() -> environment.publish(environment.spec.text("dead"), List.of(), new byte[0]) == FOREIGN);
        }
    }

    private static double secondsUntilSaved(DeadLetters letters, int count, long begun) {
        await().pollInterval(Duration.ofMillis(20)).atMost(PATIENCE).until(() -> letters.count(Filter.any()) == count);
        return (System.nanoTime() - begun) / 1e9;
    }

    private static void assertInTime(double seconds) {
        if (Scenario.isWhole()) {
            assertThat(seconds).as("seconds until the consumer went on").isLessThan(MOST_SECONDS);
        }
    }

    /** A consumer and a collector at work. */
    private static final class Consuming implements AutoCloseable {

        final ConsumerTestEnvironment environment;
        final FailingHandler handler = new FailingHandler();
        final ConsumerNode node;
        final DeadLetters letters;

        Consuming(ConsumerTestEnvironment environment) {
            FailedSetUp begun = new FailedSetUp();
            this.environment = begun.closeLater(environment);
            try {
                this.node = begun.closeLater(handler.open(environment.spec.with("delaysMs", "1000")));
                this.letters = node.letters().build();
                letters.start();
                begun.closeLater(() -> letters.stop(PATIENCE));
                node.consuming.start();
                awaitEffects(environment.send(GOOD, 1));
            } catch (RuntimeException | Error e) {
                begun.close(e);
                throw e;
            }
        }

        /** Sends poison, then good events. They take effect soon, and the poison is in the table, which this returns. */
        StoredLetter goesOnAndFinds(String what, Callable<String> poison) {
            String messageId;
            try {
                messageId = poison.call();
            } catch (Exception e) {
                throw new IllegalStateException(what, e);
            }
            long begun = System.nanoTime();
            awaitEffects(environment.send(GOOD, 1));
            double wentOn = (System.nanoTime() - begun) / 1e9;
            StoredLetter letter = await().atMost(PATIENCE)
                    .until(
                            () -> letters.list(Filter.any(), 100, 0).stream()
                                    .filter(each ->
                                            messageId.equals(each.letter().messageId()))
                                    .findFirst()
                                    .orElse(null),
                            found -> found != null);
            environment.print(
                    "%s: the %d behind it took effect after %.2f s, it was in the table after %.2f s",
                    what, GOOD, wentOn, (System.nanoTime() - begun) / 1e9);
            assertInTime(wentOn);
            return letter;
        }

        private void awaitEffects(List<String> ids) {
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(PATIENCE)
                    .until(() -> environment
                            .tables
                            .texts("SELECT event_id FROM effect")
                            .containsAll(ids));
        }

        @Override
        public void close() {
            letters.stop(PATIENCE);
            node.close();
            environment.close();
        }
    }

    /** A sender that knows nothing of envelopes. */
    private static final class Foreign implements AutoCloseable {

        final DefaultMQProducer producer = new DefaultMQProducer("foreign-sender");
        private final String topic;

        Foreign(ConsumerTestEnvironment environment) throws Exception {
            topic = environment.spec.text("topic");
            producer.setNamesrvAddr(environment.spec.text("nameServer"));
            producer.start();
        }

        Message message(String keys, String body) {
            return new Message(topic, "", keys, body.getBytes(StandardCharsets.UTF_8));
        }

        /** The broker looks at none of the messages in a batch. */
        String sendPastChecks(String body) throws Exception {
            List<Message> messages = IntStream.rangeClosed(1, EVERY_THREAD_TWICE)
                    .mapToObj(i -> message("empty-" + i, body))
                    .toList();
            MessageBatch batch = MessageBatch.generateFromList(messages);
            batch.setBody(MessageDecoder.encodeMessages(messages));
            producer.send(batch);
            return "empty-" + EVERY_THREAD_TWICE;
        }

        @Override
        public void close() {
            producer.shutdown();
        }
    }
}
