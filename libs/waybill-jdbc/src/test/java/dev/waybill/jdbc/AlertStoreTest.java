package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.Database;
import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.PostgreSql;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.store.AlertStore.Change;
import dev.waybill.store.AlertStore.Condition;
import dev.waybill.store.AlertStore.StoredAlert;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Replicas that see the same thing at the same moment: exactly one of them raises, escalates and clears. */
@Servers({Server.MARIADB, Server.MYSQL, Server.POSTGRESQL})
class AlertStoreTest {

    private static final int REPLICAS = 8;
    private static final int ROUNDS = 5;
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void exactlyOneReplicaTellsOfAChangeOnMariaDb(MariaDb server) throws Exception {
        check(server.freshDatabase());
    }

    @Test
    void exactlyOneReplicaTellsOfAChangeOnMySql(MySql server) throws Exception {
        check(server.freshDatabase());
    }

    @Test
    void exactlyOneReplicaTellsOfAChangeOnPostgreSql(PostgreSql server) throws Exception {
        check(server.freshDatabase());
    }

    @Test
    void exactlyOneReplicaTellsOfAChangeOnH2() throws Exception {
        check(TestPool.h2());
    }

    private static void check(Database database) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(REPLICAS);
        try (TestPool pool = new TestPool(database)) {
            Ddl.applyAlerts(pool.connections());
            Ddl.applyAlerts(pool.connections());
            List<JdbcAlertStore> replicas = IntStream.range(0, REPLICAS)
                    .mapToObj(i -> new JdbcAlertStore(pool.connections()))
                    .toList();
            replicas.get(0).verify();
            for (int round = 0; round < ROUNDS; round++) { // the first one inserts, the others find the row
                assertThat(all(threads, replicas, store -> store.holds("shop", down(1))))
                        .containsOnlyOnce(Change.RAISED)
                        .doesNotContain(Change.ESCALATED);
                assertThat(all(threads, replicas, store -> store.holds("shop", down(2))))
                        .containsOnlyOnce(Change.ESCALATED)
                        .doesNotContain(Change.RAISED);
                assertThat(replicas.get(0).holds("shop", down(1))).isEqualTo(Change.NOTHING);
                assertThat(replicas.get(0).unseen("shop", HOUR)).isEmpty();
                assertThat(replicas.get(0).clear("shop", down(2), HOUR))
                        .as("one replica saw it a moment ago")
                        .isFalse();
                assertThat(replicas.get(0).unseen("another", Duration.ZERO)).isEmpty();
                assertThat(replicas.get(0).list("shop", 10))
                        .extracting(StoredAlert::condition, StoredAlert::clearedAt)
                        .containsExactly(org.assertj.core.groups.Tuple.tuple(down(2), null));
                makeOld(pool);
                assertThat(all(threads, replicas, store -> clearUnseen(store))).containsOnlyOnce(List.of(down(2)));
                assertThat(replicas.get(0).list("shop", 10).get(0).clearedAt()).isNotNull();
            }
            assertThat(replicas.get(0).holds("another", down(1))).isEqualTo(Change.RAISED);
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Condition> clearUnseen(JdbcAlertStore store) {
        return store.unseen("shop", HOUR).stream()
                .filter(unseen -> store.clear("shop", unseen, HOUR))
                .toList();
    }

    private static void makeOld(TestPool pool) throws java.sql.SQLException {
        try (var connection = pool.connections().getConnection()) {
            pool.makeOlder(Dialect.of(connection), "waybill_alert", "seen_at");
        }
    }

    private static Condition down(int step) {
        return new Condition("destination-down:*", "destination-down", step, "step " + step);
    }

    private static <T> List<T> all(
            ExecutorService threads, List<JdbcAlertStore> replicas, Function<JdbcAlertStore, T> call)
            throws InterruptedException, ExecutionException {
        Stream<Callable<T>> calls = replicas.stream().map(store -> () -> call.apply(store));
        List<T> results = new ArrayList<>();
        for (Future<T> future : threads.invokeAll(calls.toList())) {
            results.add(future.get());
        }
        return results;
    }
}
