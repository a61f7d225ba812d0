package dev.waybill.order.db;

import dev.waybill.order.domain.OrderStatus;
import dev.waybill.order.domain.StateChange;
import dev.waybill.order.domain.StateChange.IgnoredReason;
import dev.waybill.order.domain.Trigger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The history of orders, in {@code t_order_state_flow}; rows are only ever added. */
@Component
class OrderStateFlowTable {

    private static final String INSERT = """
            INSERT INTO t_order_state_flow
              (order_no, from_status, to_status, event, event_id, ignored_reason, trace_id, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String OF_ORDER = """
            SELECT from_status, to_status, event, event_id, ignored_reason, trace_id, created_at
            FROM t_order_state_flow WHERE order_no = ? ORDER BY id
            """;

    private final JdbcClient jdbc;

    OrderStateFlowTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(String orderNo, StateChange change) {
        jdbc.sql(INSERT)
                .param(orderNo)
                .param(name(change.fromStatus()))
                .param(change.toStatus().name())
                .param(change.event().name())
                .param(change.eventId())
                .param(name(change.ignoredReason()))
                .param(change.traceId())
                .param(Times.column(change.createdAt()))
                .update();
    }

    List<StateChange> of(String orderNo) {
        return jdbc.sql(OF_ORDER)
                .param(orderNo)
                .query(OrderStateFlowTable::read)
                .list();
    }

    private static StateChange read(ResultSet row, int number) throws SQLException {
        String from = row.getString("from_status");
        String reason = row.getString("ignored_reason");
        return new StateChange(
                from == null ? null : OrderStatus.valueOf(from),
                OrderStatus.valueOf(row.getString("to_status")),
                Trigger.valueOf(row.getString("event")),
                row.getString("event_id"),
                reason == null ? null : IgnoredReason.valueOf(reason),
                row.getString("trace_id"),
                Times.read(row, "created_at"));
    }

    private static @Nullable String name(@Nullable Enum<?> word) {
        return word == null ? null : word.name();
    }
}
