package dev.waybill.order.domain;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state machine as one table, from which the service decides and the documentation's diagram is drawn. A change that is
 * not in the table is forbidden; a status that no row leaves is final.
 */
public final class OrderStates {

    /** One row: the status before (null where there is no order yet), the trigger, the status after. */
    public record Transition(@Nullable OrderStatus from, Trigger trigger, OrderStatus to) {}

    private static final List<Transition> TABLE = List.of(
            new Transition(null, Trigger.CREATE, OrderStatus.CREATED),
            new Transition(OrderStatus.CREATED, Trigger.STOCK_RESERVED, OrderStatus.STOCK_RESERVED),
            new Transition(OrderStatus.CREATED, Trigger.STOCK_RESERVE_FAILED, OrderStatus.STOCK_FAILED),
            new Transition(OrderStatus.CREATED, Trigger.CANCEL, OrderStatus.CANCELED),
            new Transition(OrderStatus.STOCK_RESERVED, Trigger.CANCEL, OrderStatus.CANCELED));

    private OrderStates() {}

    /** The next status; empty where the change is forbidden. */
    public static Optional<OrderStatus> next(@Nullable OrderStatus from, Trigger trigger) {
        return TABLE.stream()
                .filter(row -> row.from() == from && row.trigger() == trigger)
                .map(Transition::to)
                .findFirst();
    }

    /** Whether no change leaves this status. */
    public static boolean isFinal(OrderStatus status) {
        return TABLE.stream().noneMatch(row -> row.from() == status);
    }

    /** The table as a Mermaid state diagram. */
    public static String diagram() {
        StringBuilder drawing = new StringBuilder("stateDiagram-v2\n");
        for (Transition row : TABLE) {
            drawing.append("    %s --> %s: %s\n".formatted(name(row.from()), row.to(), row.trigger()));
        }
        Arrays.stream(OrderStatus.values())
                .filter(OrderStates::isFinal)
                .forEach(status -> drawing.append("    %s --> [*]\n".formatted(status)));
        return drawing.toString();
    }

    /** Every state and everything that may happen, as a Markdown table. */
    public static String matrix() {
        StringBuilder drawing = new StringBuilder("| | ")
                .append(Arrays.stream(Trigger.values()).map(Trigger::name).collect(Collectors.joining(" | ")))
                .append(" |\n| --- |")
                .append(" --- |".repeat(Trigger.values().length))
                .append('\n')
                .append(line("(none)", null));
        for (OrderStatus status : OrderStatus.values()) {
            drawing.append(line(status + " " + status.chinese(), status));
        }
        return drawing.toString();
    }

    private static String line(String name, @Nullable OrderStatus from) {
        return "| " + name + " | "
                + Arrays.stream(Trigger.values())
                        .map(trigger -> next(from, trigger).map(Enum::name).orElse("–"))
                        .collect(Collectors.joining(" | "))
                + " |\n";
    }

    private static String name(@Nullable OrderStatus status) {
        return status == null ? "[*]" : status.name();
    }
}
