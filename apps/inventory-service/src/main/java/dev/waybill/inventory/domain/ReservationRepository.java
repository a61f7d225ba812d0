package dev.waybill.inventory.domain;

import dev.waybill.message.TraceId;
import dev.waybill.servicekit.UtcTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Repository;

/**
 * Reservations with their lines, the movements of stock, and the history of both. Every call is one statement, however many
 * lines there are, and joins the caller's transaction.
 */
@Repository
public class ReservationRepository {

    private static final String FIND =
            "SELECT order_no, status, created_at, updated_at FROM t_inventory_reservation WHERE order_no = :bizKey";

    private static final String LOCK = FIND + " FOR UPDATE";

    private static final String INSERT = """
            INSERT INTO t_inventory_reservation (order_no, status, trace_id, created_at, updated_at)
            VALUES (:bizKey, :status, :traceId, :now, :now)""";

    private static final String CHANGE = """
            UPDATE t_inventory_reservation SET status = :status, version = version + 1, updated_at = :now
             WHERE order_no = :bizKey""";

    private static final String ADD_LINES =
            "INSERT INTO t_inventory_reservation_item (order_no, warehouse_id, sku_id, quantity) VALUES :lines";

    private static final String LINES = """
            SELECT warehouse_id, sku_id, quantity FROM t_inventory_reservation_item
             WHERE order_no = :bizKey ORDER BY warehouse_id, sku_id""";

    private static final String RECORD = """
            INSERT INTO t_inventory_txn
                   (txn_type, biz_key, warehouse_id, sku_id, quantity, available_after, reserved_after, trace_id, created_at)
            """;

    private static final String RECORD_ORDER = RECORD + """
            SELECT :type, r.order_no, r.warehouse_id, r.sku_id, r.quantity, i.available, i.reserved, :traceId, :now
              FROM t_inventory_reservation_item r
              JOIN t_inventory i ON i.warehouse_id = r.warehouse_id AND i.sku_id = r.sku_id
             WHERE r.order_no = :bizKey""";

    private static final String RECORD_RECEIPT = RECORD + """
            VALUES ('RECEIVE', :bizKey, :warehouse, :sku, :quantity, :available, :reserved, :traceId, :now)""";

    private static final String RECEIPT = """
            SELECT warehouse_id, sku_id, quantity, available_after, reserved_after FROM t_inventory_txn
             WHERE txn_type = 'RECEIVE' AND biz_key = :bizKey""";

    private static final String FLOW = """
            INSERT INTO t_inventory_state_flow
                   (order_no, from_status, to_status, event, event_id, ignored_reason, trace_id, created_at)
            VALUES (:bizKey, :from, :to, :event, :eventId, :reason, :traceId, :now)""";

    private final JdbcClient jdbc;
    private final Clock clock;

    ReservationRepository(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    Optional<ReservationStatus> status(String orderNo) {
        return find(FIND, orderNo, List.of()).map(Reservation::status);
    }

    /** The status, locked until the transaction ends. */
    Optional<ReservationStatus> lock(String orderNo) {
        return find(LOCK, orderNo, List.of()).map(Reservation::status);
    }

    public Optional<Reservation> find(String orderNo) {
        return find(FIND, orderNo, lines(orderNo).items());
    }

    private Optional<Reservation> find(String sql, String orderNo, List<Line> lines) {
        return jdbc.sql(sql)
                .param("bizKey", orderNo)
                .query((row, number) -> new Reservation(
                        row.getString("order_no"),
                        ReservationStatus.valueOf(row.getString("status")),
                        lines,
                        UtcTimes.read(row, "created_at"),
                        UtcTimes.read(row, "updated_at")))
                .optional();
    }

    /** Inserts the order's row. False if there is one already, or another transaction inserted it meanwhile. */
    boolean insert(String orderNo, ReservationStatus status) {
        try {
            written(INSERT, orderNo).param("status", status.name()).update();
            return true;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    void change(String orderNo, ReservationStatus status) {
        written(CHANGE, orderNo).param("status", status.name()).update();
    }

    void addLines(OrderLines order) {
        List<Object[]> rows = order.items().stream()
                .map(line -> new Object[] {order.orderNo(), line.warehouseId(), line.skuId(), line.quantity()})
                .toList();
        jdbc.sql(ADD_LINES).param("lines", rows).update();
    }

    OrderLines lines(String orderNo) {
        return new OrderLines(
                orderNo,
                jdbc.sql(LINES)
                        .param("bizKey", orderNo)
                        .query(ReservationRepository::line)
                        .list());
    }

    /** Stores a movement of all lines of an order; the rows of stock have moved already. */
    void recordMovement(Movement movement, String orderNo) {
        written(RECORD_ORDER, orderNo).param("type", movement.name()).update();
    }

    /** Stores a receipt; there is none yet under this key. */
    void recordReceipt(String key, Receipt receipt) {
        written(RECORD_RECEIPT, key)
                .param("warehouse", receipt.line().warehouseId())
                .param("sku", receipt.line().skuId())
                .param("quantity", receipt.line().quantity())
                .param("available", receipt.available())
                .param("reserved", receipt.reserved())
                .update();
    }

    /** The receipt that was stored under this key. */
    Optional<Receipt> receipt(String key) {
        return jdbc.sql(RECEIPT)
                .param("bizKey", key)
                .query((row, number) ->
                        new Receipt(line(row, number), row.getLong("available_after"), row.getLong("reserved_after")))
                .optional();
    }

    /** Writes a line of the history: a change of the status, or, with a reason, an event that changed nothing. */
    void record(
            String orderNo,
            @Nullable ReservationStatus from,
            ReservationStatus to,
            Cause cause,
            @Nullable String ignoredReason) {
        written(FLOW, orderNo)
                .param("from", from == null ? null : from.name())
                .param("to", to.name())
                .param("event", cause.event())
                .param("eventId", cause.eventId())
                .param("reason", ignoredReason)
                .update();
    }

    private StatementSpec written(String sql, String bizKey) {
        return jdbc.sql(sql)
                .param("bizKey", bizKey)
                .param("traceId", MDC.get(TraceId.KEY))
                .param("now", UtcTimes.column(clock.instant()));
    }

    private static Line line(ResultSet row, int number) throws SQLException {
        return new Line(row.getLong("warehouse_id"), row.getString("sku_id"), row.getLong("quantity"));
    }

    /** Why an order's stock moved. */
    enum Movement {
        RESERVE,
        RELEASE
    }
}
