package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.inbox.DeadLetters;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcDeadLetterStore;
import dev.waybill.jdbc.JdbcJobStore;
import dev.waybill.job.Jobs;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Letters are replayed by two replicas that are both killed, and then by others: every effect happens once. What is canceled stays. */
@Servers({Server.POSTGRESQL, Server.RABBITMQ})
@Tag("kill")
class ReplayJobTest {

    private static final int LETTERS = Scenario.length(10_000, 300);
    private static final int RATE = Scenario.length(500, 100);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final OperatorDecision ANN = new OperatorDecision("ann", "the handler is mended");
    private static final String OPEN = "SELECT COUNT(*) FROM waybill_dead_letter WHERE state = 'OPEN'";

    @Test
    void aReplayGoesOnAfterKillsAndEndsWhenCanceled(PostgreSql sql, RabbitMq broker, ChildJvms jvms) {
        try (ConsumerTestEnvironment environment = ConsumerTestEnvironment.of(sql, broker);
                ConsumerNode node = new ConsumerNode(environment.spec, ConsumerNode::effect)) {
            Ddl.applyJobs(node.dataSource);
            node.consuming.start();
            JdbcJobStore store = new JdbcJobStore(node.dataSource);
            DeadLetterStore letters = new JdbcDeadLetterStore(node.dataSource);
            NodeSettings replica = environment.spec.with("leaseMs", 2_000).with("abandonedMs", 2_000);

            List<String> first = save(letters, environment.spec, LETTERS);
            StoredJob job = begin(store, letters, RATE);
            assertThat(job.total()).isEqualTo(LETTERS);
            List<Long> progress = new ArrayList<>();
            for (int enough : List.of(LETTERS / 8, LETTERS / 2)) {
                ChildJvm one = jvms.start(DeadLetterProcess.class, replica.arguments());
                ChildJvm other = jvms.start(DeadLetterProcess.class, replica.arguments());
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> done(store, job) >= enough);
                one.kill9();
                other.kill9();
                progress.add(done(store, job));
            }
            long halfSent =
                    environment.tables.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE state = 'REPLAYING'");
            jvms.start(DeadLetterProcess.class, replica.arguments());
            await().atMost(PATIENCE).until(() -> found(store, job).state() == State.FINISHED);
            await().atMost(PATIENCE).until(() -> environment.effects() >= LETTERS);
            environment.print(
                    "%d letters, replicas killed at %s done (%d half sent then), none lost, none doubled",
                    LETTERS, progress, halfSent);
            assertThat(found(store, job)).satisfies(end -> {
                assertThat(end.done()).isEqualTo(LETTERS);
                assertThat(end.refused()).isZero();
            });
            assertThat(progress).isSorted();
            assertThat(progress.get(1)).isLessThan(LETTERS);
            assertThat(environment.tables.texts("SELECT event_id FROM effect"))
                    .containsExactlyInAnyOrderElementsOf(first);
            assertThat(environment.tables.count(OPEN)).isZero();

            cancel(environment, store, letters);
        }
    }

    private static void cancel(ConsumerTestEnvironment environment, JdbcJobStore store, DeadLetterStore letters) {
        save(letters, environment.spec, 200);
        StoredJob job = begin(store, letters, 50);
        await().atMost(PATIENCE).until(() -> done(store, job) > 0);
        assertThat(store.cancel(job.id(), new OperatorDecision("bob", "the wrong ones")))
                .isTrue();
        await().atMost(PATIENCE)
                .until(() ->
                        environment.tables.count("SELECT COUNT(*) FROM waybill_dead_letter WHERE state = 'REPLAYING'")
                                == 0);
        await().during(Duration.ofSeconds(1)).atMost(PATIENCE).untilAsserted(() -> {
            long open = environment.tables.count(OPEN);
            assertThat(open).isPositive();
            assertThat(environment.effects() + open).isEqualTo(LETTERS + 200);
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
