package dev.waybill.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** One command, nothing installed: what it prints works, what it stores is there the next time. */
class QuickstartTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern ADDRESS = Pattern.compile("(http://[^ ']+)");
    private static final Pattern HEADER = Pattern.compile("-H '([^:]+): ([^']+)'");
    private static final Pattern BODY = Pattern.compile("-d '(.*)'");
    private static final Pattern ORDER_NUMBER = Pattern.compile("ORD[0-9]{21}");

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final int orderPort = freePort();
    private final int inventoryPort = freePort();
    private final int marketPort = freePort();
    private final int demoPort = freePort();

    @Test
    void thePrintedLinesLeadToOrdersWhichTheNextStartStillKnows(@TempDir Path folder)
            throws IOException, InterruptedException {
        String orderNo;
        try (Quickstart quickstart = quickstart(folder)) {
            quickstart.start();
            List<String> lines = printed()
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("curl"))
                    .toList();
            assertThat(lines).hasSize(6);
            assertThat(call(lines.get(0))).contains("\"available\":100");
            assertThat(call(lines.get(1))).contains("\"status\":\"CREATED\"");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(call(lines.get(2))).contains("STOCK_RESERVED"));
            assertThat(call(lines.get(3))).contains("\"status\":\"on_sale\"");
            assertThat(call(lines.get(4))).contains("\"status\":\"pending\"");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(call(lines.get(5))).contains("\"status\":\"sold\""));
            Matcher number = ORDER_NUMBER.matcher(call(lines.get(2)));
            assertThat(number.find()).isTrue();
            orderNo = number.group();
            assertThat(get(demoPort, "/demo/ratelimit")).contains("passed");
            assertThat(get(orderPort, "/actuator/prometheus"))
                    .contains("waybill_relay_sent_total{application=\"order-service\"", "waybill_outbox_backlog{");
            assertThat(get(inventoryPort, "/actuator/prometheus"))
                    .contains("waybill_inbox_consumed_total{application=\"inventory-service\"");
            assertThat(get(marketPort, "/actuator/prometheus"))
                    .contains("waybill_relay_sent_total{application=\"marketplace\"");
            assertThat(get(demoPort, "/actuator/prometheus"))
                    .contains("waybill_guard_ratelimit_decisions_total{", "application=\"guard-demo\"");
            assertThat(printed()).contains("open: whoever is on this machine may do everything; bound to 127.0.0.1");
            assertThat(printed()).doesNotContain("do not hear each other");
            // nobody would recognise an event that came a second time
            tables(quickstart, Service.INVENTORY).update("DELETE FROM t_mq_consume_log");
        }
        try (Quickstart quickstart = quickstart(folder)) {
            quickstart.start();
            assertThat(get(orderPort, "/orders/" + orderNo)).contains("STOCK_RESERVED");
            await().during(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(tables(quickstart, Service.INVENTORY)
                                    .queryForObject("SELECT COUNT(*) FROM t_mq_consume_log", Long.class))
                            .as("what was consumed is not delivered again")
                            .isZero());
            assertThat(get(inventoryPort, "/inventory/1/1001")).contains("\"available\":98", "\"reserved\":2");
            assertThat(get(marketPort, "/orders/1")).contains("\"status\":\"pending\"");
            assertThat(get(orderPort, "/v3/api-docs")).contains("/orders/{orderNo}/cancel");
        }
        assertThat(printed()).contains("stopped after");
        try (Quickstart quickstart = quickstart(folder, "--fresh")) {
            quickstart.start();
            assertThat(get(orderPort, "/orders/" + orderNo)).contains("NOT_FOUND");
        }
    }

    @Test
    void aSettingGoesToItsServiceAlone(@TempDir Path folder) {
        Options options = new Options(
                "--data-dir=" + folder,
                "--marketplace.order.timeout.pending=90s",
                "--order-service.waybill.relay.batch=7");

        assertThat(options.settings(Service.MARKETPLACE)).containsExactly("--order.timeout.pending=90s");
        assertThat(options.settings(Service.ORDER)).containsExactly("--waybill.relay.batch=7");
        assertThat(options.settings(Service.INVENTORY)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--market.order.timeout.pending=90s | there is no service market",
                "--nonsense=1                       | there is no option --nonsense",
                "--marketplace.port=many            | --marketplace.port needs a number",
            })
    void anOptionThatNobodyKnowsIsOneSentence(String option, String sentence) {
        assertThatExceptionOfType(StartRefusedException.class)
                .isThrownBy(() -> new Options(option))
                .withMessageContaining(sentence);
    }

    @Test
    void inRealModeTheLinesCarryTokens() {
        new UsagePrinter(new PrintStream(printed, true, StandardCharsets.UTF_8), service -> "http://x", true)
                .print("servers");

        assertThat(printed().lines().map(String::strip).filter(line -> line.startsWith("curl")))
                .hasSize(6)
                .filteredOn(line -> !line.endsWith("/products/1/inventory")) // a product's projection is public
                .allMatch(line -> line.contains("-H \"Authorization: Bearer $"));
        assertThat(printed()).contains("./dev token --user N", "OPERATOR=$(./dev token --operator)");
    }

    @Test
    void aPortThatIsTakenIsOneSentence(@TempDir Path folder) throws IOException {
        try (ServerSocket taken = new ServerSocket(orderPort, 1, InetAddress.getLoopbackAddress());
                Quickstart quickstart = quickstart(folder)) {
            assertThatExceptionOfType(StartRefusedException.class)
                    .isThrownBy(quickstart::start)
                    .withMessageContaining("port " + taken.getLocalPort())
                    .withMessageContaining("--order-service.port");
        }
    }

    @Test
    void aFolderThatCannotBeWrittenIsOneSentence(@TempDir Path folder) throws IOException {
        try (Quickstart quickstart = quickstart(Files.createFile(folder.resolve("a-file")))) {
            assertThatExceptionOfType(StartRefusedException.class)
                    .isThrownBy(quickstart::start)
                    .withMessageContaining("data folder")
                    .withMessageContaining("--data-dir");
        }
    }

    @Test
    void aFolderThatAnotherRunUsesIsOneSentence(@TempDir Path folder) throws IOException {
        try (FileChannel other = StartChecks.takeFolder(folder);
                Quickstart quickstart = quickstart(folder)) {
            assertThat(other.isOpen()).isTrue();
            assertThatExceptionOfType(StartRefusedException.class)
                    .isThrownBy(quickstart::start)
                    .withMessageContaining("another ./dev run uses the data folder " + folder)
                    .withMessageContaining("--data-dir");
        }
    }

    private Quickstart quickstart(Path folder, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--data-dir=" + folder,
                "--order-service.port=" + orderPort,
                "--inventory-service.port=" + inventoryPort,
                "--marketplace.port=" + marketPort,
                "--guard-demo.port=" + demoPort));
        arguments.addAll(List.of(more));
        return new Quickstart(new PrintStream(printed, true, StandardCharsets.UTF_8), arguments.toArray(String[]::new));
    }

    private static JdbcTemplate tables(Quickstart quickstart, Service service) {
        return Objects.requireNonNull(quickstart.running(service)).getBean(JdbcTemplate.class);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** What a shell would do with the line. */
    private static String call(String curl) throws IOException, InterruptedException {
        Matcher address = ADDRESS.matcher(curl);
        assertThat(address.find()).isTrue();
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(address.group(1))).timeout(PATIENCE);
        Matcher header = HEADER.matcher(curl);
        while (header.find()) {
            request.header(header.group(1), header.group(2));
        }
        Matcher body = BODY.matcher(curl);
        if (body.find()) {
            request.POST(HttpRequest.BodyPublishers.ofString(body.group(1)));
        }
        return HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.ofString())
                .body();
    }

    private static String get(int port, String path) throws IOException, InterruptedException {
        return call("curl -s http://127.0.0.1:" + port + path);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
