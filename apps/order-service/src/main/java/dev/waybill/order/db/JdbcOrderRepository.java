package dev.waybill.order.db;

import dev.waybill.order.domain.Item;
import dev.waybill.order.domain.Order;
import dev.waybill.order.domain.OrderRepository;
import dev.waybill.order.domain.OrderStatus;
import dev.waybill.order.domain.StateChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Orders in {@code t_order}. Written for READ COMMITTED, which the service's settings ask for. A read that has to see the change
 * that won a race locks the row, and so sees the newest one in every isolation level.
 */
@Repository
class JdbcOrderRepository implements OrderRepository {

    private static final String SELECT = """
            SELECT order_no, user_id, status, amount, version, created_at, updated_at
            FROM t_order
            """;
    private static final String FIND = SELECT + "WHERE order_no = ? AND deleted = 0";
    private static final String FIND_AND_LOCK = FIND + " FOR UPDATE";
    private static final String FIND_BY_REQUEST = SELECT + "WHERE user_id = ? AND client_request_id = ?";
    private static final String OF_USER =
            SELECT + "WHERE user_id = ? AND deleted = 0 ORDER BY id DESC LIMIT ? OFFSET ?";
    private static final String COUNT_OF_USER = "SELECT COUNT(*) FROM t_order WHERE user_id = ? AND deleted = 0";
    private static final String INSERT = """
            INSERT INTO t_order
              (order_no, user_id, client_request_id, status, amount, version, deleted, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)
            """;
    private static final String MOVE = """
            UPDATE t_order SET status = ?, version = version + 1, updated_at = ?
            WHERE order_no = ? AND status = ? AND deleted = 0
            """;

    private final JdbcClient jdbc;
    private final OrderItemTable items;
    private final OrderStateFlowTable flows;

    JdbcOrderRepository(JdbcClient jdbc, OrderItemTable items, OrderStateFlowTable flows) {
        this.jdbc = jdbc;
        this.items = items;
        this.flows = flows;
    }

    @Override
    public Optional<Order> find(String orderNo) {
        return withItems(jdbc.sql(FIND).param(orderNo));
    }

    @Override
    public Optional<Order> findAndLock(String orderNo) {
        return withItems(jdbc.sql(FIND_AND_LOCK).param(orderNo));
    }

    @Override
    public Optional<Order> findByRequest(long userId, String clientRequestId) {
        return withItems(jdbc.sql(FIND_BY_REQUEST).params(userId, clientRequestId));
    }

    private Optional<Order> withItems(JdbcClient.StatementSpec query) {
        return query.query(OrderRow::read).optional().map(row -> row.with(items.of(row.orderNo())));
    }

    @Override
    public void insert(Order order, String clientRequestId) {
        jdbc.sql(INSERT)
                .params(
                        order.orderNo(),
                        order.userId(),
                        clientRequestId,
                        order.status().name(),
                        order.amount(),
                        order.version(),
                        Times.column(order.createdAt()),
                        Times.column(order.updatedAt()))
                .update();
        items.insert(order.orderNo(), order.items());
    }

    @Override
    public boolean move(String orderNo, OrderStatus from, OrderStatus to, Instant now) {
        return jdbc.sql(MOVE)
                        .params(to.name(), Times.column(now), orderNo, from.name())
                        .update()
                == 1;
    }

    @Override
    public void record(String orderNo, StateChange change) {
        flows.insert(orderNo, change);
    }

    @Override
    public List<StateChange> history(String orderNo) {
        return flows.of(orderNo);
    }

    @Override
    public List<Order> ofUser(long userId, long offset, int limit) {
        List<OrderRow> rows = jdbc.sql(OF_USER)
                .params(userId, limit, offset)
                .query(OrderRow::read)
                .list();
        var lines = items.of(rows.stream().map(OrderRow::orderNo).toList());
        return rows.stream()
                .map(row -> row.with(lines.getOrDefault(row.orderNo(), List.<Item>of())))
                .toList();
    }

    @Override
    public long countOfUser(long userId) {
        return jdbc.sql(COUNT_OF_USER).param(userId).query(Long.class).single();
    }
}
