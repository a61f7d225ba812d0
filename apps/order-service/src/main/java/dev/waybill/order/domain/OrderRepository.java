package dev.waybill.order.domain;

import dev.waybill.servicekit.UtcTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Orders in {@code t_order} and their lines in {@code t_order_item}. Every call joins the caller's transaction. Written for READ
 * COMMITTED, which the service's settings ask for. A read that has to see the change that won a race locks the row, and so
 * sees the newest one in every isolation level.
 */
@Repository
class OrderRepository {

    private static final String SELECT = """
            SELECT order_no, user_id, status, amount, version, created_at, updated_at
            FROM t_order
            """;
    private static final String FIND = SELECT + "WHERE order_no = ? AND deleted = 0";
    private static final String FIND_AND_LOCK = FIND + " FOR UPDATE";
    private static final String FIND_OWNER = "SELECT user_id FROM t_order WHERE order_no = ? AND deleted = 0";
    private static final String FIND_NUMBER =
            "SELECT order_no FROM t_order WHERE user_id = ? AND client_request_id = ?";
    private static final String OF_USER =
            SELECT + "WHERE user_id = ? AND deleted = 0 ORDER BY id DESC LIMIT ? OFFSET ?";
    private static final String COUNT_OF_USER = "SELECT COUNT(*) FROM t_order WHERE user_id = ? AND deleted = 0";
    private static final String WAITING = "FROM t_order WHERE status = 'CREATED' AND deleted = 0 AND created_at < ? ";
    private static final String COUNT_WAITING = "SELECT COUNT(*) " + WAITING;
    private static final String LONGEST_WAITING = "SELECT order_no, created_at " + WAITING + """
            AND created_at >= ? AND (created_at > ? OR order_no > ?)
            ORDER BY created_at, order_no LIMIT ?""";
    private static final String INSERT = """
            INSERT INTO t_order
              (order_no, user_id, client_request_id, status, amount, version, deleted, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?)
            """;
    private static final String MOVE = """
            UPDATE t_order SET status = ?, version = version + 1, updated_at = ?
            WHERE order_no = ? AND status = ? AND deleted = 0
            """;
    private static final String INSERT_ITEMS =
            "INSERT INTO t_order_item (order_no, line_no, sku_id, warehouse_id, quantity, price) VALUES :items";
    private static final String ITEMS = """
            SELECT order_no, sku_id, warehouse_id, quantity, price
            FROM t_order_item WHERE order_no IN (:orderNos) ORDER BY order_no, line_no
            """;

    private final JdbcClient jdbc;

    OrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Order> find(String orderNo) {
        return read(jdbc.sql(FIND).param(orderNo)).stream().findFirst();
    }

    /** Reads the newest state and locks the row until this transaction ends. */
    Optional<Order> findAndLock(String orderNo) {
        return read(jdbc.sql(FIND_AND_LOCK).param(orderNo)).stream().findFirst();
    }

    Optional<Long> findOwner(String orderNo) {
        return jdbc.sql(FIND_OWNER).param(orderNo).query(Long.class).optional();
    }

    /** The number of the order that the same request of this user created before, also of one that was deleted. */
    Optional<String> findNumber(long userId, String clientRequestId) {
        return jdbc.sql(FIND_NUMBER)
                .params(userId, clientRequestId)
                .query(String.class)
                .optional();
    }

    /** A user's orders, newest first. */
    List<Order> ofUser(long userId, long offset, int limit) {
        return read(jdbc.sql(OF_USER).params(userId, limit, offset));
    }

    long countOfUser(long userId) {
        return jdbc.sql(COUNT_OF_USER).param(userId).query(Long.class).single();
    }

    /** Orders that were created before this time and have no stock answer, the oldest first, from behind this one on. */
    List<WaitingOrder> waitingSince(Instant time, WaitingOrder after, int limit) {
        LocalDateTime begun = UtcTimes.column(after.createdAt());
        return jdbc.sql(LONGEST_WAITING)
                .params(UtcTimes.column(time), begun, begun, after.orderNo(), limit)
                .query((row, number) -> new WaitingOrder(row.getString("order_no"), UtcTimes.read(row, "created_at")))
                .list();
    }

    long countWaitingSince(Instant time) {
        return jdbc.sql(COUNT_WAITING)
                .param(UtcTimes.column(time))
                .query(Long.class)
                .single();
    }

    /**
     * Writes a new order with its items.
     *
     * @throws org.springframework.dao.DuplicateKeyException when the request or the number is taken
     */
    void insert(Order order, String clientRequestId) {
        jdbc.sql(INSERT)
                .params(
                        order.orderNo(),
                        order.userId(),
                        clientRequestId,
                        order.status().name(),
                        order.amount(),
                        order.version(),
                        UtcTimes.column(order.createdAt()),
                        UtcTimes.column(order.updatedAt()))
                .update();
        List<Object[]> rows = new ArrayList<>();
        for (Item item : order.items()) {
            rows.add(new Object[] {
                order.orderNo(), rows.size() + 1, item.skuId(), item.warehouseId(), item.quantity(), item.price()
            });
        }
        jdbc.sql(INSERT_ITEMS).param("items", rows).update();
    }

    /** Compare and set: whether the order still had the status {@code from} and has {@code to} now. */
    boolean move(String orderNo, OrderStatus from, OrderStatus to, Instant now) {
        return jdbc.sql(MOVE)
                        .params(to.name(), UtcTimes.column(now), orderNo, from.name())
                        .update()
                == 1;
    }

    private List<Order> read(JdbcClient.StatementSpec query) {
        List<Order> orders = query.query(OrderRepository::withoutItems).list();
        if (orders.isEmpty()) {
            return orders;
        }
        Map<String, List<Item>> items = new HashMap<>();
        jdbc.sql(ITEMS)
                .param("orderNos", orders.stream().map(Order::orderNo).toList())
                .query(row -> {
                    items.computeIfAbsent(row.getString("order_no"), none -> new ArrayList<>())
                            .add(item(row));
                });
        return orders.stream()
                .map(order -> order.with(items.getOrDefault(order.orderNo(), List.of())))
                .toList();
    }

    private static Order withoutItems(ResultSet row, int number) throws SQLException {
        return new Order(
                row.getString("order_no"),
                row.getLong("user_id"),
                OrderStatus.valueOf(row.getString("status")),
                row.getBigDecimal("amount"),
                List.of(),
                row.getInt("version"),
                UtcTimes.read(row, "created_at"),
                UtcTimes.read(row, "updated_at"));
    }

    private static Item item(ResultSet row) throws SQLException {
        return new Item(
                row.getString("sku_id"),
                row.getLong("warehouse_id"),
                row.getInt("quantity"),
                row.getBigDecimal("price"));
    }

    /** An order whose stock answer has not come. */
    record WaitingOrder(String orderNo, Instant createdAt) {

        /** Comes before every order. */
        static final WaitingOrder NONE = new WaitingOrder("", Instant.EPOCH);
    }
}
