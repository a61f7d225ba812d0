package dev.waybill.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.servers.MariaDb;
import dev.waybill.servers.MySql;
import dev.waybill.servers.RabbitMq;
import dev.waybill.servers.Server;
import dev.waybill.servers.Servers;
import dev.waybill.servers.SqlServer;
import dev.waybill.store.Hold;
import dev.waybill.store.Parcel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A business transaction never waits for the relay: no gap locks, no row locks in its way. */
@Servers({Server.MARIADB, Server.MYSQL, Server.RABBITMQ})
class InsertsDuringClaimsTest {

    private static final int ROUNDS = 5;

    @Test
    void insertsAreAsQuickWhileClaimsRunBackToBackOnMariaDb(MariaDb sql, RabbitMq broker) throws InterruptedException {
        compare(sql, broker);
    }

    @Test
    void insertsAreAsQuickWhileClaimsRunBackToBackOnMySql(MySql sql, RabbitMq broker) throws InterruptedException {
        compare(sql, broker);
    }

    private static void compare(SqlServer sql, RabbitMq broker) throws InterruptedException {
        try (Stage stage = Stage.onRabbit(sql.server().title(), sql, broker, "waybill");
                Node node = new Node(stage.spec.with("handoff", 0))) {
            stage.fill(40_000);
            inserts(node, 300);
            List<Long> without = new ArrayList<>();
            List<Long> during = new ArrayList<>();
            AtomicInteger claims = new AtomicInteger();
            for (int round = 0; round < ROUNDS; round++) { // interleaved, so that both see the same machine
                stage.execute("UPDATE waybill_outbox SET due_at = created_at, claim_token = NULL");
                without.addAll(inserts(node, 400));
                AtomicBoolean stop = new AtomicBoolean();
                Thread claimer = new Thread(() -> claimBackToBack(node, stop, claims));
                claimer.start();
                during.addAll(inserts(node, 400));
                stop.set(true);
                claimer.join();
            }
            double quiet = Clocks.percentile(without, 0.99) / 1e6;
            double busy = Clocks.percentile(during, 0.99) / 1e6;
            stage.print(
                    "insert p99: alone %.2f ms, during %d claims of 1000 rows %.2f ms, ratio %.2f",
                    quiet, claims.get(), busy, busy / quiet);
            assertThat(claims.get()).isGreaterThan(ROUNDS);
            assertThat(busy).isLessThanOrEqualTo(2 * quiet);
        }
    }

    private static void claimBackToBack(Node node, AtomicBoolean stop, AtomicInteger claims) {
        Hold hold = new Hold("claimer", Duration.ofSeconds(30));
        while (!stop.get()) {
            List<Parcel> parcels = node.store.claim(hold, 1000, Set.of());
            if (parcels.size() == 1000) {
                claims.incrementAndGet();
            }
        }
    }

    private static List<Long> inserts(Node node, int count) {
        List<Long> latencies = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long before = System.nanoTime();
            node.transact(connection -> node.outbox.publish(Producers.event()));
            latencies.add(System.nanoTime() - before);
        }
        return latencies;
    }
}
