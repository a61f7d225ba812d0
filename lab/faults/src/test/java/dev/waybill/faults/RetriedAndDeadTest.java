package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.ReplayReport;
import dev.waybill.inbox.ReplayRequest;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.RocketMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What fails comes again with growing delays; what goes on failing, or never can succeed, waits for a person. */
@Servers({Server.MARIADB, Server.POSTGRESQL, Server.RABBITMQ, Server.ROCKETMQ})
class RetriedAndDeadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final OperatorDecision MENDED = new OperatorDecision("ops", "mended");

    @Test
    void failuresAreRetriedDeadLetteredListedAndReplayedOnMariaDbAndRocketMq(MariaDb sql, RocketMq broker)
            throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            failAndReplay(
                    environment, environment.spec.with("delaysMs", "1000,5000,10000")); // the broker's first levels
        }
    }

    @Test
    void failuresAreRetriedDeadLetteredListedAndReplayedOnPostgreSqlAndRabbitMq(PostgreSql sql, RabbitMq broker)
            throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            failAndReplay(environment, environment.spec.with("delaysMs", "200,800,2000"));
        }
    }

    private static void failAndReplay(ConsumerTestEnvironment environment, NodeSettings spec)
            throws InterruptedException {
        FailingHandler handler = new FailingHandler();
        Event twice = Producers.event();
        Event always = Producers.event();
        handler.failTwice = twice.eventId();
        handler.broken.add(always.eventId());
        try (ConsumerNode node = handler.open(spec)) {
            DeadLetters letters = node.letters().build();
            letters.start();
            node.consuming.start();
            environment.send(List.of(twice, always));
            await().atMost(PATIENCE).until(() -> letters.count(Filter.any()) == 1);
            await().atMost(PATIENCE).until(() -> environment.effects() == 1);

            assertThat(handler.attempts(twice)).containsExactly(1, 2, 3);
            assertThat(handler.attempts(always)).containsExactly(1, 2, 3, 4);
            List<Long> waits = handler.waits(always);
            environment.print("delays between deliveries: %s ms", waits);
            assertThat(waits).isSorted().hasSize(3);
            StoredLetter kept = letters.list(Filter.any(), 10, 0).get(0);
            assertThat(kept.state()).isEqualTo(State.OPEN);
            assertThat(kept.eventId()).isEqualTo(always.eventId());
            assertThat(kept.letter().error()).contains("broken for now");
            assertThat(letters.count(byError("broken FOR now"))).isEqualTo(1);
            assertThat(letters.count(byError("100% other"))).isZero();

            handler.broken.clear(); // the fix
            ReplayReport report = letters.replay(List.of(kept.id()), ReplayRequest.by("ops", "mended"));
            assertThat(report.replayed()).containsExactly(kept.id());
            await().atMost(PATIENCE).until(() -> environment.effects() == 2);
            assertThat(environment.tables.texts("SELECT event_id FROM effect"))
                    .containsExactlyInAnyOrder(twice.eventId(), always.eventId());
            assertThat(letters.find(kept.id())).map(StoredLetter::state).contains(State.REPLAYED);
            assertThat(handler.attempts(always)).containsExactly(1, 2, 3, 4, 1);
            letters.stop(PATIENCE);
        }
    }

    @Test
    void poisonGoesStraightToTheDeadLettersOnMariaDbAndRocketMq(MariaDb sql, RocketMq broker)
            throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            poison(environment);
        }
    }

    @Test
    void poisonGoesStraightToTheDeadLettersOnPostgreSqlAndRabbitMq(PostgreSql sql, RabbitMq broker)
            throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker)) {
            poison(environment);
        }
    }

    private static void poison(ConsumerTestEnvironment environment) throws InterruptedException {
        FailingHandler handler = new FailingHandler();
        Event unknown = Event.builder("NeverHeardOf").payload("{}").build();
        Event large = Event.builder(ConsumerNode.TYPE)
                .payload("\"" + "x".repeat(5_000) + "\"")
                .build();
        try (ConsumerNode node = handler.open(environment.spec.with("maxBody", 5_000))) {
            DeadLetters letters = node.letters().build();
            letters.start();
            node.consuming.start();
            environment.sendBody(bytes("{\"eventId\": broken"));
            environment.sendBody(bytes("{\"eventId\":\"1\",\"eventType\":\"OrderCreated\"}"));
            environment.send(List.of(large, unknown));
            List<String> good = environment.send(5, 1);
            await().atMost(PATIENCE).until(() -> letters.count(Filter.any()) == 4);
            await().atMost(PATIENCE).until(() -> environment.effects() == 5);

            assertThat(environment.tables.texts("SELECT event_id FROM effect"))
                    .containsExactlyInAnyOrderElementsOf(good);
            assertThat(handler.deliveries).allMatch(each -> each.attempt() == 1);
            assertThat(letters.list(Filter.any(), 10, 0))
                    .extracting(kept -> String.valueOf(kept.letter().error()))
                    .anyMatch(error -> error.contains("broken JSON"))
                    .anyMatch(error -> error.contains("needs"))
                    .anyMatch(error -> error.contains("limit of 5000"))
                    .anyMatch(error -> error.contains("event type not supported"));
            StoredLetter stranger = letters.list(byType("NeverHeardOf"), 10, 0).get(0);
            StoredLetter broken = letters.list(byError("broken JSON"), 10, 0).get(0);
            letters.stop(PATIENCE);

            // what a person decided is there for the next process
            Event mended = Producers.event();
            assertThat(letters.discard(List.of(stranger.id()), MENDED)).isEqualTo(1);
            assertThat(letters.edit(broken.id(), envelope(mended), MENDED)).isTrue();
            try (ConsumerNode successor = handler.open(environment.spec)) {
                DeadLetters later = successor.letters().build();
                later.start();
                successor.consuming.start();
                assertThat(later.find(stranger.id())).map(StoredLetter::state).contains(State.DISCARDED);
                assertThat(later.replay(List.of(stranger.id(), broken.id()), ReplayRequest.by("ops", "edited"))
                                .replayed())
                        .containsExactly(broken.id());
                await().atMost(PATIENCE)
                        .until(() -> environment
                                .tables
                                .texts("SELECT event_id FROM effect")
                                .contains(mended.eventId()));
                later.stop(PATIENCE);
            }
            assertThat(environment.tables.texts("SELECT action FROM waybill_audit ORDER BY action"))
                    .containsExactly("DISCARD", "EDIT", "REPLAY");
        }
    }

    private static Filter byError(String part) {
        return new Filter(null, null, null, part, null, null, null);
    }

    private static Filter byType(String type) {
        return new Filter(null, null, type, null, null, null, null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] envelope(Event event) {
        return Envelope.encode(event, BodyFormat.ENVELOPE);
    }
}
