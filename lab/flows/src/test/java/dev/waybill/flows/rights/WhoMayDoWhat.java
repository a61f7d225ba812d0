package dev.waybill.flows.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.waybill.flows.rights.RightsTable.Cell;
import dev.waybill.servicetestkit.HttpReply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole table, cell by cell, against services that know their callers. */
abstract class WhoMayDoWhat {

    private static final String DOCUMENT = "docs/services.md";
    private static final Map<String, String> CODES =
            Map.of("200", "00000", "empty", "00000", "401", "A0230", "403", "A0301", "404", "NOT_FOUND");

    abstract ThreeServices services();

    /** What the reply must be; an open service has another idea of it. */
    void judge(Cell cell, HttpReply reply) {
        assertThat(reply.code()).as(reply.body().toString()).isEqualTo(CODES.get(cell.expected()));
        assertThat(reply.status()).isEqualTo(cell.expected().equals("empty") ? 200 : Integer.parseInt(cell.expected()));
        if (cell.expected().equals("401")) {
            assertThat(reply.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        }
        if (cell.request().startsWith("GET /orders?")) {
            boolean empty = !cell.expected().equals("200");
            assertThat(reply.data().path("orders").isEmpty()).isEqualTo(empty);
            assertThat(reply.number("total") == 0).isEqualTo(empty);
        }
    }

    static List<Cell> cells() throws IOException {
        return RightsTable.read(DOCUMENT).stream()
                .filter(cell -> !cell.service().equals("all"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cells")
    void everyCellIsTrue(Cell cell) {
        Map<String, Deeds.Deed> deeds = new Deeds(services()).byRequest();
        assertThat(deeds).containsKey(cell.deed());
        judge(cell, deeds.get(cell.deed()).by(cell.who()));
    }

    /** It says UP once relay and consumers have met their broker. */
    @Test
    void healthIsForAll() {
        for (Who who : Who.values()) {
            services()
                    .all()
                    .forEach(service -> await().atMost(Duration.ofMinutes(1))
                            .untilAsserted(() -> assertThat(who.calls(service)
                                            .get("/actuator/health")
                                            .body()
                                            .toString())
                                    .contains("\"status\":\"UP\"")
                                    .doesNotContain("DOWN")));
        }
    }

    /** What the table says of all services is asked of each. */
    @Test
    void theFiguresAreForWhomTheTableSays() throws IOException {
        List<Cell> cells = RightsTable.read(DOCUMENT).stream()
                .filter(cell -> cell.service().equals("all"))
                .filter(cell -> !cell.request().endsWith("/health")) // healthIsForAll waits until it is UP
                .toList();
        assertThat(cells).isNotEmpty();
        for (Cell cell : cells) {
            String path = cell.request().substring("GET ".length());
            services()
                    .all()
                    .forEach(service -> assertThat(cell.who().calls(service).statusCode(path))
                            .as("%s", cell)
                            .isEqualTo(statusOf(cell)));
        }
    }

    /** An open service has another idea of it. */
    int statusOf(Cell cell) {
        return Integer.parseInt(cell.expected());
    }

    @Test
    void everyDeedIsInTheTableAndBothLanguagesAgree() throws IOException {
        List<Cell> table = RightsTable.read(DOCUMENT);
        assertThat(RightsTable.read("docs/services.zh-CN.md")).isEqualTo(table);
        assertThat(table.stream().map(Cell::deed))
                .containsAll(new Deeds(services()).byRequest().keySet());
    }
}
