package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Quorum queues drop what was given back more than three times. The consumer's database is away for much longer, under load. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("outage")
class QuorumOutageTest {

    private static final int OUTAGE_SECONDS = Scenario.length(60, 6);
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum", "x-delivery-limit", 3);
    private static final String LETTERS = "SELECT message_id FROM waybill_dead_letter";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final List<String> events = new ArrayList<>();
    private final List<String> letters = new ArrayList<>();

    @Test
    void nothingIsDroppedFromQueueOrDeadLetterQueue(PostgreSql sql, RabbitMq broker) throws InterruptedException {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker, QUORUM);
                ConsumerNode node = new ConsumerNode(environment.spec, ConsumerNode::effect)) {
            DeadLetters collector = node.letters().build();
            collector.start();
            node.consuming.start();
            load(environment, 2);
            await().atMost(PATIENCE).until(() -> environment.effects() > 0 && count(environment) > 0);
            sql.stop();
            int before = events.size() + letters.size();
            load(environment, OUTAGE_SECONDS);
            int during = events.size() + letters.size() - before;
            sql.start();
            long back = System.nanoTime();
            load(environment, 1);
            await().atMost(PATIENCE)
                    .until(() -> environment.effects() >= events.size() && count(environment) >= letters.size());
            environment.print(
                    "database away for %d s, %d messages came meanwhile: effects=%d dead letters=%d, all %.1f s after it was back",
                    OUTAGE_SECONDS,
                    during,
                    environment.effects(),
                    count(environment),
                    (System.nanoTime() - back) / 1e9);
            collector.stop(PATIENCE);
            node.consuming.stop(PATIENCE);

            LongLists.assertSame(environment.tables.texts("SELECT event_id FROM effect"), events);
            LongLists.assertSame(environment.tables.texts(LETTERS), letters);
            assertThat(environment.publish(environment.spec.text("source"), List.of(), new byte[0]))
                    .isZero();
            assertThat(environment.publish(environment.spec.text("dead"), List.of(), new byte[0]))
                    .isZero();
        }
    }

    /** Events for the consumer, and dead letters for the collector. */
    private void load(ConsumerTestEnvironment environment, int seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - end < 0) {
            events.addAll(environment.send(50, 1));
            List<String> more = IntStream.range(letters.size(), letters.size() + 5)
                    .mapToObj(i -> "letter-" + i)
                    .toList();
            environment.publishLetters(more, environment.spec.text("source"));
            letters.addAll(more);
            TimeUnit.MILLISECONDS.sleep(500); // the pace of the load
        }
    }

    private static long count(ConsumerTestEnvironment environment) {
        return environment.tables.count("SELECT COUNT(*) FROM waybill_dead_letter");
    }
}
