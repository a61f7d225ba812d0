package dev.waybill.order.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state and everything that may happen to it, written down once more by hand. */
class OrderStatesTest {

    private static final Path DOCUMENT = Path.of("../../docs/order-states.md");

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-,              CREATE,               CREATED",
                "-,              STOCK_RESERVED,       -",
                "-,              STOCK_RESERVE_FAILED, -",
                "-,              CANCEL,               -",
                "CREATED,        CREATE,               -",
                "CREATED,        STOCK_RESERVED,       STOCK_RESERVED",
                "CREATED,        STOCK_RESERVE_FAILED, STOCK_FAILED",
                "CREATED,        CANCEL,               CANCELED",
                "STOCK_RESERVED, CREATE,               -",
                "STOCK_RESERVED, STOCK_RESERVED,       -",
                "STOCK_RESERVED, STOCK_RESERVE_FAILED, -",
                "STOCK_RESERVED, CANCEL,               CANCELED",
                "STOCK_FAILED,   CREATE,               -",
                "STOCK_FAILED,   STOCK_RESERVED,       -",
                "STOCK_FAILED,   STOCK_RESERVE_FAILED, -",
                "STOCK_FAILED,   CANCEL,               -",
                "CANCELED,       CREATE,               -",
                "CANCELED,       STOCK_RESERVED,       -",
                "CANCELED,       STOCK_RESERVE_FAILED, -",
                "CANCELED,       CANCEL,               -",
            })
    void everyStateAndTriggerLeadsWhereTheSpecificationSays(OrderStatus from, Trigger trigger, OrderStatus to) {
        assertThat(OrderStates.next(from, trigger)).isEqualTo(Optional.ofNullable(to));
    }

    @Test
    void theListAboveIsComplete() throws NoSuchMethodException {
        CsvSource listed = OrderStatesTest.class
                .getDeclaredMethod(
                        "everyStateAndTriggerLeadsWhereTheSpecificationSays",
                        OrderStatus.class,
                        Trigger.class,
                        OrderStatus.class)
                .getAnnotation(CsvSource.class);
        int pairs = (OrderStatus.values().length + 1) * Trigger.values().length;
        assertThat(Arrays.stream(listed.value())
                        .map(line -> line.substring(0, line.lastIndexOf(',')).replaceAll("\\s", ""))
                        .distinct())
                .hasSize(pairs);
    }

    @Test
    void finalStatesAreTheFailedAndTheCanceled() {
        assertThat(Arrays.stream(OrderStatus.values()).filter(OrderStates::isFinal))
                .containsExactly(OrderStatus.STOCK_FAILED, OrderStatus.CANCELED);
    }

    @Test
    void theDocumentShowsTheTableThatRuns() throws IOException {
        String document = Files.readString(DOCUMENT);
        String diagram = "```mermaid\n" + OrderStates.diagram() + "```\n";
        assertThat(document).as("the drawing should read:%n%s", diagram).contains(diagram);
        assertThat(document)
                .as("the table should read:%n%s", OrderStates.matrix())
                .contains("\n" + OrderStates.matrix() + "\n");
    }
}
