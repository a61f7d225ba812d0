package dev.waybill.order.domain;

import dev.waybill.order.domain.StateChange.IgnoredReason;
import dev.waybill.servicekit.UtcTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The history of orders, in {@code t_order_state_flow}; rows are only ever added. */
@Repository
class StateFlowRepository {

    private static final String INSERT = """
            INSERT INTO t_order_state_flow
              (order_no, from_status, to_status, event, event_id, event_time, ignored_reason, trace_id, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String OF_ORDER = """
            SELECT from_status, to_status, event, event_id, event_time, ignored_reason, trace_id, created_at
            FROM t_order_state_flow WHERE order_no = ? ORDER BY id
            """;

    private final JdbcClient jdbc;

    StateFlowRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(String orderNo, StateChange change) {
        jdbc.sql(INSERT)
                .param(orderNo)
                .param(name(change.fromStatus()))
                .param(change.toStatus().name())
                .param(change.event().name())
                .param(change.eventId())
                .param(UtcTimes.column(change.eventTime()))
                .param(name(change.ignoredReason()))
                .param(change.traceId())
                .param(UtcTimes.column(change.createdAt()))
                .update();
    }

    List<StateChange> of(String orderNo) {
        return jdbc.sql(OF_ORDER)
                .param(orderNo)
                .query(StateFlowRepository::read)
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
                UtcTimes.read(row, "event_time"),
                reason == null ? null : IgnoredReason.valueOf(reason),
                row.getString("trace_id"),
                UtcTimes.read(row, "created_at"));
    }

    private static @Nullable String name(@Nullable Enum<?> word) {
        return word == null ? null : word.name();
    }
}
