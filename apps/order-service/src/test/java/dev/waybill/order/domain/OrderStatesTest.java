package dev.waybill.order.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state and everything that may happen to it, written down once more by hand. */
class OrderStatesTest {

    private static final Map<OrderStatus, String> CHINESE = Map.of(
            OrderStatus.CREATED, "已创建",
            OrderStatus.STOCK_RESERVED, "库存已预留",
            OrderStatus.STOCK_FAILED, "库存预留失败",
            OrderStatus.CANCELED, "已取消");
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
        assertThat(Arrays.stream(OrderStatus.values()).filter(OrderStatesTest::isFinal))
                .containsExactly(OrderStatus.STOCK_FAILED, OrderStatus.CANCELED);
    }

    @Test
    void theDocumentShowsTheTableThatRuns() throws IOException {
        String document = Files.readString(DOCUMENT);
        String diagram = "```mermaid\n" + diagram() + "```\n";
        assertThat(document).as("the drawing should read:%n%s", diagram).contains(diagram);
        assertThat(document).as("the table should read:%n%s", matrix()).contains("\n" + matrix() + "\n");
    }

    private static boolean isFinal(OrderStatus status) {
        return OrderStates.TABLE.stream().noneMatch(row -> row.from() == status);
    }

    /** The table as a Mermaid state diagram. */
    private static String diagram() {
        StringBuilder drawing = new StringBuilder("stateDiagram-v2\n");
        for (OrderStates.Transition row : OrderStates.TABLE) {
            String from = row.from() == null ? "[*]" : row.from().name();
            drawing.append("    %s --> %s: %s\n".formatted(from, row.to(), row.trigger()));
        }
        Arrays.stream(OrderStatus.values())
                .filter(OrderStatesTest::isFinal)
                .forEach(status -> drawing.append("    %s --> [*]\n".formatted(status)));
        return drawing.toString();
    }

    /** Every state and everything that may happen, as a Markdown table. */
    private static String matrix() {
        StringBuilder drawing = new StringBuilder("| | ")
                .append(Arrays.stream(Trigger.values()).map(Trigger::name).collect(Collectors.joining(" | ")))
                .append(" |\n| --- |")
                .append(" --- |".repeat(Trigger.values().length))
                .append('\n')
                .append(line("(none)", null));
        for (OrderStatus status : OrderStatus.values()) {
            drawing.append(line(status + " " + CHINESE.get(status), status));
        }
        return drawing.toString();
    }

    private static String line(String name, @Nullable OrderStatus from) {
        return "| " + name + " | "
                + Arrays.stream(Trigger.values())
                        .map(trigger ->
                                OrderStates.next(from, trigger).map(Enum::name).orElse("–"))
                        .collect(Collectors.joining(" | "))
                + " |\n";
    }
}
