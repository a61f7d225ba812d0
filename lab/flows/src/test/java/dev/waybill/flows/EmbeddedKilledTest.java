package dev.waybill.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.load.OrderLoad;
import dev.waybill.quickstart.Quickstart;
import dev.waybill.servers.ChildJvm;
import dev.waybill.servers.Scenario;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * {@code ./dev run} is killed at seeded moments while orders and sales come in: what was answered is there, every order comes to
 * rest, stock and projections agree.
 */
@Tag("kill")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EmbeddedKilledTest {

    private static final int KILLS = Scenario.length(20, 10);
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final int orders = freePort();
    private final int inventory = freePort();
    private final int market = freePort();
    private final int demo = freePort();
    private final List<Integer> audits = new CopyOnWriteArrayList<>();
    private volatile boolean enough;

    @Test
    void whatWasAnsweredSurvivesEveryKill(@TempDir Path folder) throws InterruptedException {
        Random moments = new Random(17);
        List<Long> killedAfter = new ArrayList<>();
        Thread load = new Thread(this::order, "orders");
        ChildJvm running = start(folder);
        try (MarketSales sales = new MarketSales(market)) {
            load.start();
            sales.begin(2);
            for (int kill = 0; kill < KILLS && !failed(); kill++) {
                long millis = 300L + moments.nextInt(2_500);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
                running.kill9();
                killedAfter.add(millis);
                running = start(folder);
            }
            enough = true;
            load.join(PATIENCE.multipliedBy(2).toMillis());
            sales.end();

            Scenario.print("killed " + killedAfter.size() + " times, ms after a start: " + killedAfter + "; "
                    + audits.size() + " rounds of orders, " + sales.answered() + " products and sales");
            assertThat(audits).isNotEmpty().allMatch(status -> status == 0);
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(sales.findings()).isEmpty());
            assertThat(sales.answered()).isGreaterThan(KILLS);
        } finally {
            running.close();
        }
    }

    private boolean failed() {
        return audits.stream().anyMatch(status -> status != 0);
    }

    /** A round at a time, each with an audit of its own. A caller who gets no answer asks again with the same key. */
    private void order() {
        do {
            audits.add(new CommandLine(new OrderLoad())
                    .execute(
                            "--orders=150",
                            "--rate=50",
                            "--threads=8",
                            "--patience=" + PATIENCE.toSeconds(),
                            "--order-service=http://127.0.0.1:" + orders,
                            "--inventory-service=http://127.0.0.1:" + inventory));
        } while (!enough && !failed());
    }

    private ChildJvm start(Path folder) {
        ChildJvm child = ChildJvm.of(Quickstart.class)
                .arguments(
                        "--data-dir=" + folder,
                        "--order-service.port=" + orders,
                        "--inventory-service.port=" + inventory,
                        "--marketplace.port=" + market,
                        "--guard-demo.port=" + demo)
                .start();
        child.waitForLine("up after", PATIENCE);
        return child;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
