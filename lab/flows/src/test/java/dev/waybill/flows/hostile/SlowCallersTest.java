package dev.waybill.flows.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.order.OrderApplication;
import dev.waybill.servicetestkit.RawHttp;
import dev.waybill.servicetestkit.RunningService;
import dev.waybill.servicetestkit.ServiceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much a caller notices of five hundred others that drip a byte a second. It measures, so only {@code ./dev hostile} runs it. */
@Tag("bench")
class SlowCallersTest {

    private static final int DRIPPERS = 500;
    private static final Duration MEASURED = Duration.ofSeconds(8);
    private static final String BODY =
            "{\"clientRequestId\":\"%s\",\"userId\":7,\"items\":[{\"skuId\":1001,\"quantity\":1,\"price\":9.5}]}";
    private static final String HEAD = "POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n";

    private int calls;

    @Test
    void fiveHundredThatDripAtMostDoubleTheNinetyNinthPercentileOfTheOthers(@TempDir Path folder) throws IOException {
        ServiceSettings settings = ServiceSettings.embedded(folder)
                .set("waybill.guard.ratelimit.apis[OrderController.create].rate", 1_000_000)
                .set("waybill.guard.ratelimit.apis[OrderController.create].capacity", 1_000_000)
                .set("logging.level.root", "warn");
        try (RunningService orders = new RunningService(OrderApplication.application(), settings)) {
            measure(orders.port()); // warms up
            long alone = measure(orders.port());
            List<RawHttp> drippers = new ArrayList<>();
            for (int i = 0; i < DRIPPERS; i++) {
                RawHttp dripper = new RawHttp(orders.port());
                dripper.send(HEAD + "Content-Length: 1000\r\n\r\n{");
                drippers.add(dripper);
            }
            ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
            try {
                ScheduledFuture<?> dripping = clock.scheduleAtFixedRate(
                        () -> drippers.forEach(SlowCallersTest::drip), 1, 1, TimeUnit.SECONDS);
                long beside = measure(orders.port());
                System.out.printf(
                        Locale.ROOT,
                        "[SlowCallersTest] p99 alone %,d µs, beside %d drippers %,d µs%n",
                        alone / 1_000,
                        DRIPPERS,
                        beside / 1_000);
                assertThat(beside).isLessThanOrEqualTo(2 * alone);
                assertThat(dripping.isDone()).isFalse();
                for (RawHttp dripper : drippers) {
                    assertThat(dripper.receive().status()).isEqualTo(408);
                }
            } finally {
                clock.shutdownNow();
                for (RawHttp dripper : drippers) {
                    dripper.close();
                }
            }
        }
    }

    private static void drip(RawHttp dripper) {
        try {
            dripper.send(" ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The 99th percentile of creates, one after the other, in nanoseconds. */
    private long measure(int port) throws IOException {
        long[] taken = new long[1_000_000];
        int count = 0;
        long end = System.nanoTime() + MEASURED.toNanos();
        try (RawHttp http = new RawHttp(port)) {
            while (System.nanoTime() < end) {
                String body = BODY.formatted("p-" + calls++);
                long before = System.nanoTime();
                int status = http.exchange(HEAD + "Content-Length: " + body.length() + "\r\n\r\n" + body)
                        .status();
                taken[count++] = System.nanoTime() - before;
                assertThat(status).isEqualTo(200);
            }
        }
        long[] sorted = Arrays.copyOf(taken, count);
        Arrays.sort(sorted);
        return sorted[(int) (count * 0.99)];
    }
}
