package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.inbox.InboxListener;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcDeadLetterStore;
import dev.waybill.jdbc.JdbcJobStore;
import dev.waybill.job.Jobs;
import dev.waybill.lifecycle.Checkpoints;
import dev.waybill.message.BodyFormat;
import dev.waybill.message.DeadLetter;
import dev.waybill.message.Envelope;
import dev.waybill.message.Event;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.ChildJvms;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Scenario;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.LetterSummary;
import dev.waybill.store.JobStore.State;
import dev.waybill.store.JobStore.StoredJob;
import dev.waybill.store.OperatorDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Letters are replayed by two replicas that are both killed, and then by others: every effect happens once. What is canceled stays. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("kill")
class ReplayJobTest {

    private static final int LETTERS = Scenario.length(10_000, 300);
    private static final int RATE = Scenario.length(500, 60);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final OperatorDecision ANN = new OperatorDecision("ann", "the handler is mended");
    private static final String IN_STATE = "SELECT COUNT(*) FROM waybill_dead_letter WHERE state = '%s'";
    private static final String HALF_SENT = "SELECT event_id FROM waybill_dead_letter WHERE state = 'REPLAYING'";

    @Test
    void aReplayGoesOnAfterKillsAndEndsWhenCanceled(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        Map<String, Integer> deliveries = new ConcurrentHashMap<>();
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker);
                ConsumerNode node = new ConsumerNode(
                        environment.spec,
                        ConsumerNode::effect,
                        new InboxListener() {},
                        Checkpoints.NONE,
                        delivery -> deliveries.merge(Objects.requireNonNull(delivery.messageId()), 1, Integer::sum))) {
            Ddl.applyJobs(node.dataSource);
            node.consuming.start();
            JdbcJobStore store = new JdbcJobStore(node.dataSource);
            DeadLetterStore letters = new JdbcDeadLetterStore(node.dataSource);
            NodeSettings replica = environment.spec.with("leaseMs", 2_000).with("abandonedMs", 2_000);

            List<String> first = save(letters, environment.spec, LETTERS);
            StoredJob job = begin(store, letters, RATE);
            assertThat(job.total()).isEqualTo(LETTERS);
            List<Long> progress = new ArrayList<>();
            Set<String> halfSent = new HashSet<>();
            for (int enough : List.of(LETTERS / 8, LETTERS / 4)) {
                ChildJvm one = jvms.start(DeadLetterProcess.class, replica.arguments());
                ChildJvm other = jvms.start(DeadLetterProcess.class, replica.arguments());
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> done(store, job) >= enough);
                one.kill9();
                other.kill9();
                progress.add(done(store, job));
                halfSent.addAll(environment.tables.texts(HALF_SENT));
            }
            markedAndNotSent(letters);
            jvms.start(DeadLetterProcess.class, replica.arguments());
            await().atMost(PATIENCE).until(() -> found(store, job).state() == State.FINISHED);
            await().atMost(PATIENCE).until(() -> environment.effects() >= LETTERS);
            environment.print(
                    "%d letters, replicas killed at %s done (%d half sent then), none lost, none doubled",
                    LETTERS, progress, halfSent.size());
            assertThat(found(store, job)).satisfies(end -> {
                assertThat(end.done()).isEqualTo(LETTERS);
                assertThat(end.refused()).isZero();
            });
            assertThat(progress).isSorted();
            assertThat(progress.get(1)).isLessThan(LETTERS);
            assertThat(environment.tables.texts("SELECT event_id FROM effect"))
                    .containsExactlyInAnyOrderElementsOf(first);
            eachOnce(environment, deliveries, halfSent);
            cancel(environment, store, letters);
        }
    }

    /** As a process leaves one that dies between the two: somebody else has to send it. */
    private static void markedAndNotSent(DeadLetterStore letters) {
        Filter open = Filter.any().withState(DeadLetterStore.State.OPEN);
        List<Long> last = letters.summaries(open, LETTERS, 0).stream()
                .map(LetterSummary::id)
                .sorted(Comparator.reverseOrder())
                .limit(1)
                .toList();
        assertThat(letters.beginReplay(last, ANN)).hasSize(1);
    }

    /** The inbox would hide repeats: what counts is what reached the consumer. Those half sent at a kill may have come twice. */
    private static void eachOnce(
            ConsumerTestEnvironment environment, Map<String, Integer> deliveries, Set<String> halfSent) {
        assertThat(deliveries).hasSize(LETTERS);
        assertThat(deliveries.entrySet().stream()
                        .filter(delivered -> delivered.getValue() > 1)
                        .map(Map.Entry::getKey))
                .isSubsetOf(halfSent);
        assertThat(inState(environment, "REPLAYED")).isEqualTo(LETTERS);
        assertThat(environment.tables.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE replays <> 1"))
                .isZero();
        assertThat(environment.tables.texts("SELECT event_id FROM waybill_audit WHERE action = 'REPLAY'"))
                .as("decided once about each")
                .hasSize(LETTERS)
                .doesNotHaveDuplicates();
    }

    private static long inState(ConsumerTestEnvironment environment, String state) {
        return environment.tables.count(IN_STATE.formatted(state));
    }

    private static void cancel(ConsumerTestEnvironment environment, JdbcJobStore store, DeadLetterStore letters) {
        save(letters, environment.spec, 200);
        StoredJob job = begin(store, letters, 50);
        await().atMost(PATIENCE).until(() -> done(store, job) > 0);
        assertThat(store.cancel(job.id(), new OperatorDecision("bob", "the wrong ones")))
                .isTrue();
        await().atMost(PATIENCE).until(() -> inState(environment, "REPLAYING") == 0);
        await().during(Duration.ofSeconds(1)).atMost(PATIENCE).untilAsserted(() -> {
            long open = inState(environment, "OPEN");
            assertThat(open).isPositive();
            assertThat(environment.effects() + open).isEqualTo(LETTERS + 200);
            assertThat(done(store, job))
                    .as("all that was sent is counted")
                    .isEqualTo(inState(environment, "REPLAYED") - LETTERS);
        });
        assertThat(found(store, job).state()).isEqualTo(State.CANCELED);
        environment.print("canceled with %d of 200 done", done(store, job));
    }

    /** As a collector would have: what is replayed is the event as it was sent. */
    private static List<String> save(DeadLetterStore letters, NodeSettings spec, int number) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Event event = Producers.event();
            ids.add(event.eventId());
            letters.save(
                    new DeadLetter(
                            event.eventId(),
                            spec.text("source"),
                            spec.text("group"),
                            event.eventId(),
                            Map.of(),
                            Envelope.encode(event, BodyFormat.ENVELOPE),
                            "no stock"),
                    event.eventId(),
                    event.type());
        }
        return ids;
    }

    /** This process works nothing off itself. */
    private static StoredJob begin(JdbcJobStore store, DeadLetterStore letters, int rate) {
        List<String> open = letters.summaries(Filter.any().withState(DeadLetterStore.State.OPEN), 100_000, 0).stream()
                .map(LetterSummary::id)
                .map(String::valueOf)
                .toList();
        return new Jobs(store, DeadLetterProcess.SCOPE, List.of(), Jobs.DEFAULT_LEASE)
                .begin(DeadLetters.REPLAY_JOB, "", rate, ANN, open);
    }

    private static StoredJob found(JdbcJobStore store, StoredJob job) {
        return store.find(job.id()).orElseThrow();
    }

    private static long done(JdbcJobStore store, StoredJob job) {
        return found(store, job).done();
    }
}
