package dev.waybill.inventory.db;

import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.OrderLines;
import dev.waybill.inventory.domain.Reservation;
import dev.waybill.inventory.domain.ReservationRepository;
import dev.waybill.inventory.domain.ReservationStatus;
import dev.waybill.inventory.domain.StateChange;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import dev.waybill.message.TraceId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** {@code t_inventory_reservation} with its items, {@code t_inventory_txn}, {@code t_inventory_state_flow}. */
@Repository
class JdbcReservationRepository implements ReservationRepository {

    private static final String STATUS = "SELECT status FROM t_inventory_reservation WHERE order_no = ?";

    private static final String LOCK = STATUS + " FOR UPDATE";

    private static final String INSERT =
            "INSERT INTO t_inventory_reservation (order_no, status, trace_id) VALUES (?, ?, ?)";

    private static final String CHANGE = """
            UPDATE t_inventory_reservation
               SET status = ?, version = version + 1, updated_at = CURRENT_TIMESTAMP(3)
             WHERE order_no = ?""";

    private static final String FIND =
            "SELECT order_no, status, created_at, updated_at FROM t_inventory_reservation WHERE order_no = ?";

    private static final String ADD_LINE = """
            INSERT INTO t_inventory_reservation_item (order_no, warehouse_id, sku_id, quantity)
            VALUES (?, ?, ?, ?)""";

    private static final String LINES = """
            SELECT warehouse_id, sku_id, quantity FROM t_inventory_reservation_item
             WHERE order_no = ? ORDER BY warehouse_id, sku_id""";

    private static final String RECORD = """
            INSERT INTO t_inventory_txn
                   (txn_type, biz_key, warehouse_id, sku_id, quantity, available_after, reserved_after, trace_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String RECORDED = """
            SELECT warehouse_id, sku_id, quantity FROM t_inventory_txn
             WHERE txn_type = ? AND biz_key = ? ORDER BY warehouse_id, sku_id""";

    private static final String FLOW = """
            INSERT INTO t_inventory_state_flow
                   (order_no, from_status, to_status, event, event_id, ignored_reason, trace_id)
            VALUES (?, ?, ?, ?, ?, ?, ?)""";

    private final JdbcTemplate jdbc;

    JdbcReservationRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Optional<ReservationStatus> status(String orderNo) {
        return status(STATUS, orderNo);
    }

    @Override
    public Optional<ReservationStatus> lock(String orderNo) {
        return status(LOCK, orderNo);
    }

    private Optional<ReservationStatus> status(String sql, String orderNo) {
        return jdbc.queryForList(sql, String.class, orderNo).stream()
                .findFirst()
                .map(ReservationStatus::valueOf);
    }

    @Override
    public boolean insert(String orderNo, ReservationStatus status) {
        try {
            jdbc.update(INSERT, orderNo, status.name(), traceId());
            return true;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    @Override
    public void change(String orderNo, ReservationStatus status) {
        jdbc.update(CHANGE, status.name(), orderNo);
    }

    @Override
    public void addLines(OrderLines order) {
        jdbc.batchUpdate(
                ADD_LINE,
                order.lines().stream()
                        .map(line -> new Object[] {
                            order.orderNo(),
                            line.key().warehouseId(),
                            line.key().skuId(),
                            line.quantity()
                        })
                        .toList());
    }

    @Override
    public OrderLines lines(String orderNo) {
        return new OrderLines(orderNo, jdbc.query(LINES, JdbcReservationRepository::line, orderNo));
    }

    @Override
    public Optional<Reservation> find(String orderNo) {
        List<Line> lines = lines(orderNo).lines();
        return jdbc.query(FIND, (row, number) -> reservation(row, lines), orderNo).stream()
                .findFirst();
    }

    @Override
    public boolean record(Movement movement, String bizKey, List<StockLevel> after, List<Line> lines) {
        List<Object[]> rows = new ArrayList<>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            StockLevel level = after.get(i);
            rows.add(new Object[] {
                movement.name(),
                bizKey,
                level.key().warehouseId(),
                level.key().skuId(),
                lines.get(i).quantity(),
                level.available(),
                level.reserved(),
                traceId()
            });
        }
        try {
            jdbc.batchUpdate(RECORD, rows);
            return true;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    @Override
    public List<Line> recorded(Movement movement, String bizKey) {
        return jdbc.query(RECORDED, JdbcReservationRepository::line, movement.name(), bizKey);
    }

    @Override
    public void record(StateChange change) {
        ReservationStatus from = change.from();
        jdbc.update(
                FLOW,
                change.orderNo(),
                from == null ? null : from.name(),
                change.to().name(),
                change.cause().event(),
                change.cause().eventId(),
                change.ignoredReason(),
                traceId());
    }

    private static @Nullable String traceId() {
        return MDC.get(TraceId.KEY);
    }

    private static Line line(ResultSet row, int number) throws SQLException {
        return new Line(new StockKey(row.getLong("warehouse_id"), row.getString("sku_id")), row.getLong("quantity"));
    }

    private static Reservation reservation(ResultSet row, List<Line> lines) throws SQLException {
        return new Reservation(
                row.getString("order_no"),
                ReservationStatus.valueOf(row.getString("status")),
                lines,
                row.getTimestamp("created_at").toInstant(),
                row.getTimestamp("updated_at").toInstant());
    }
}
