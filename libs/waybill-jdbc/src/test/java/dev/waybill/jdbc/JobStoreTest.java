package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.JobStore.ClaimedJob;
import dev.waybill.store.JobStore.JobItem;
import dev.waybill.store.JobStore.NewJob;
import dev.waybill.store.JobStore.RefusedItem;
import dev.waybill.store.JobStore.SettledItem;
import dev.waybill.store.JobStore.State;
import dev.waybill.store.JobStore.StoredJob;
import dev.waybill.store.OperatorDecision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Replicas that want the same job at the same moment, one that lost its lease, and a person who cancels: nothing is counted twice. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class JobStoreTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final OperatorDecision ANN = new OperatorDecision("ann", "the handler is mended");
    private static final Set<String> KINDS = Set.of("replay", "discard");

    @Test
    void onMariaDb(MariaDb server) throws Exception {
        check(server.freshDatabase());
    }

    @Test
    void onMySql(MySql server) throws Exception {
        check(server.freshDatabase());
    }

    @Test
    void onPostgreSql(PostgreSql server) throws Exception {
        check(server.freshDatabase());
    }

    @Test
    void onH2() throws Exception {
        check(TestPool.h2());
    }

    private static void check(Database database) throws Exception {
        try (TestPool pool = new TestPool(database)) {
            Ddl.applyJobs(pool.connections());
            Ddl.applyJobs(pool.connections());
            JdbcJobStore store = new JdbcJobStore(pool.connections());
            store.verify();
            oneReplicaClaims(store);
            aLostLeaseWritesNothing(pool, store);
            aCanceledJobStays(store);
            aJobIsWorkedOffInOrder(store);
            oldJobsAreSwept(pool, store);
        }
    }

    private static StoredJob create(JdbcJobStore store, int subjects) {
        return store.create(
                new NewJob("shop", "replay", "", 50, ANN),
                IntStream.range(0, subjects).mapToObj(i -> "letter-" + i).toList());
    }

    private static void oneReplicaClaims(JdbcJobStore store) throws Exception {
        StoredJob job = create(store, 3);
        assertThat(store.claim("another", KINDS, LEASE)).isEmpty();
        assertThat(store.claim("shop", Set.of("requeue"), LEASE)).isEmpty();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Optional<ClaimedJob>>> all = new ArrayList<>();
            IntStream.range(0, 8).forEach(i -> all.add(() -> store.claim("shop", KINDS, LEASE)));
            List<ClaimedJob> claims = new ArrayList<>();
            for (Future<Optional<ClaimedJob>> claim : threads.invokeAll(all)) {
                claim.get().ifPresent(claims::add);
            }
            assertThat(claims)
                    .singleElement()
                    .satisfies(claim -> assertThat(claim.job()).isEqualTo(job));
            store.release(claims.get(0));
        } finally {
            threads.shutdownNow();
        }
        assertThat(store.cancel(job.id(), ANN)).isTrue();
    }

    private static void aLostLeaseWritesNothing(TestPool pool, JdbcJobStore store) throws SQLException {
        StoredJob job = create(store, 2);
        ClaimedJob slept = store.claim("shop", KINDS, LEASE).orElseThrow();
        assertThat(store.claim("shop", KINDS, LEASE)).isEmpty();
        execute(pool, "UPDATE waybill_job SET lease_until = created_at");
        ClaimedJob other = store.claim("shop", KINDS, LEASE).orElseThrow();
        assertThat(store.settle(slept, List.of(new SettledItem(1, null)), LEASE, null))
                .isFalse();
        assertThat(store.finish(slept)).isFalse();
        store.release(slept);
        assertThat(store.claim("shop", KINDS, LEASE)).isEmpty();
        assertThat(store.waiting(job.id(), 0, 10)).hasSize(2);
        assertThat(store.find(job.id()).orElseThrow().done()).isZero();
        assertThat(store.finish(other)).as("two wait").isFalse();
        assertThat(store.cancel(job.id(), ANN)).isTrue();
    }

    private static void aCanceledJobStays(JdbcJobStore store) {
        StoredJob job = create(store, 2);
        ClaimedJob claimed = store.claim("shop", KINDS, LEASE).orElseThrow();
        assertThat(store.settle(claimed, List.of(new SettledItem(1, null)), LEASE, null))
                .isTrue();
        assertThat(store.cancel(job.id(), new OperatorDecision("bob", "the wrong ones")))
                .isTrue();
        assertThat(store.cancel(job.id(), ANN)).isFalse();
        assertThat(store.cancel(424_242, ANN)).isFalse();
        assertThat(store.settle(claimed, List.of(new SettledItem(2, null)), LEASE, null))
                .isFalse();
        StoredJob canceled = store.find(job.id()).orElseThrow();
        assertThat(canceled.state()).isEqualTo(State.CANCELED);
        assertThat(canceled.done()).as("also what was under way").isEqualTo(2);
        assertThat(store.waiting(job.id(), 0, 10)).isEmpty();
    }

    private static void aJobIsWorkedOffInOrder(JdbcJobStore store) {
        StoredJob job = create(store, 2_500);
        ClaimedJob claimed = store.claim("shop", KINDS, LEASE).orElseThrow();
        assertThat(store.waiting(job.id(), 0, 2))
                .containsExactly(new JobItem(1, "letter-0"), new JobItem(2, "letter-1"));
        assertThat(store.waiting(job.id(), 2_499, 10)).containsExactly(new JobItem(2_500, "letter-2499"));
        for (long from = 1; from <= 2_500; from += 50) {
            List<SettledItem> some = new ArrayList<>();
            for (long number = from; number < from + 50; number++) {
                some.add(new SettledItem(number, number % 1_000 == 0 ? "it is not open" : null));
            }
            assertThat(store.settle(claimed, some, LEASE, from == 1 ? "the broker is away" : null))
                    .isTrue();
            if (from == 1) {
                assertThat(store.find(job.id()).orElseThrow().note()).isEqualTo("the broker is away");
            }
        }
        assertThat(store.finish(claimed)).isTrue();
        StoredJob finished = store.find(job.id()).orElseThrow();
        assertThat(finished.state()).isEqualTo(State.FINISHED);
        assertThat(finished.note()).isNull();
        assertThat(finished.done()).isEqualTo(2_498);
        assertThat(finished.refused()).isEqualTo(2);
        assertThat(store.refused(job.id(), 1_000, 10))
                .containsExactly(new RefusedItem(2_000, "letter-1999", "it is not open"));
        assertThat(store.list("shop", Long.MAX_VALUE, 2).get(0)).isEqualTo(finished);
        assertThat(store.list("shop", finished.id(), 10)).hasSize(3);
        assertThat(store.list("another", Long.MAX_VALUE, 10)).isEmpty();
    }

    private static void oldJobsAreSwept(TestPool pool, JdbcJobStore store) throws SQLException {
        StoredJob running = create(store, 1);
        assertThat(count(
                        pool,
                        "SELECT COUNT(*) FROM waybill_audit WHERE outbox_table = 'waybill_job' AND action = 'BEGIN'"))
                .isEqualTo(5);
        assertThat(count(pool, "SELECT COUNT(*) FROM waybill_audit WHERE action = 'CANCEL' AND actor = 'bob'"))
                .isEqualTo(1);
        assertThat(store.sweepEnded(Duration.ofHours(1), 10)).isZero();
        assertThat(store.sweepEnded(Duration.ZERO, 10)).isEqualTo(4);
        assertThat(store.list("shop", Long.MAX_VALUE, 10))
                .extracting(StoredJob::id)
                .containsExactly(running.id());
        assertThat(count(pool, "SELECT COUNT(*) FROM waybill_job_item")).isEqualTo(1);
        assertThat(store.sweepAudit(Duration.ofHours(1), 100)).isZero();
    }

    private static void execute(TestPool pool, String sql) throws SQLException {
        try (Connection connection = pool.connections().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long count(TestPool pool, String sql) throws SQLException {
        try (Connection connection = pool.connections().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
