package dev.waybill.marketplace.domain;

import dev.waybill.servicekit.UtcTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Orders in {@code orders}, and which of them a buyer's idempotency key made, in {@code order_requests}. Every update has the
 * expected status in its condition; the row count says whether it won. Writes belong to the caller's transaction.
 */
@Repository
public class OrderRepository {

    private static final String SELECT = """
            SELECT id, order_no, buyer_id, seller_id, product_id, quantity, price, total_amount, status, cancel_reason,
                   create_time, pay_time, update_time
            FROM orders
            """;
    private static final String FIND = SELECT + "WHERE id = ?";
    private static final String FIND_AND_LOCK = FIND + " FOR UPDATE";
    private static final String PENDING_OF =
            SELECT + "WHERE product_id = ? AND buyer_id = ? AND status = 'pending' ORDER BY id DESC LIMIT 1";
    private static final String MADE_WITH =
            SELECT + "WHERE id = (SELECT order_id FROM order_requests WHERE buyer_id = ? AND idempotency_key = ?)";
    private static final String OF_BUYER = SELECT + "WHERE buyer_id = ? ORDER BY id DESC LIMIT ? OFFSET ?";
    private static final String COUNT_OF_BUYER = "SELECT COUNT(*) FROM orders WHERE buyer_id = ?";
    private static final String INSERT = """
            INSERT INTO orders
              (order_no, buyer_id, seller_id, product_id, quantity, price, total_amount, status, create_time, update_time)
            VALUES (?, ?, ?, ?, 1, ?, ?, 'pending', ?, ?)
            """;
    private static final String KEEP_KEY =
            "INSERT INTO order_requests (buyer_id, idempotency_key, order_id, create_time) VALUES (?, ?, ?, ?)";
    private static final String MOVE = "UPDATE orders SET status = ?, update_time = ? WHERE id = ? AND status = ?";
    private static final String PAY = """
            UPDATE orders SET status = 'paid', pay_time = ?, update_time = ? WHERE id = ? AND status = 'pending'
            """;
    private static final String CANCEL = """
            UPDATE orders SET status = 'cancelled', cancel_reason = 'user', update_time = ?
            WHERE id = ? AND status = 'pending'
            """;
    private static final String CLOSE_OVERDUE = """
            UPDATE orders SET status = 'cancelled', cancel_reason = 'timeout', update_time = ?
            WHERE id = ? AND status = 'pending' AND create_time <= ?
            """;
    private static final String OVERDUE = """
            SELECT id FROM orders WHERE status = 'pending' AND create_time <= ? AND id > ? ORDER BY id LIMIT ?
            """;
    private static final String WAS_PUBLISHED = "SELECT COUNT(*) FROM outbox_events WHERE event_id = ?";

    private final JdbcClient jdbc;

    OrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Stores a pending order; the table generates its id. */
    Order insert(String orderNo, long buyerId, Product product, Instant now) {
        LocalDateTime time = UtcTimes.column(now);
        long id = GeneratedKey.of(jdbc.sql(INSERT)
                .params(
                        orderNo,
                        buyerId,
                        product.sellerId(),
                        product.id(),
                        product.price(),
                        product.price(),
                        time,
                        time));
        return find(id).orElseThrow();
    }

    /** Keeps the key as long as the order. A duplicate key when another transaction used it at the same time. */
    void keepKey(String key, Order order) {
        jdbc.sql(KEEP_KEY)
                .params(order.buyerId(), key, order.id(), UtcTimes.column(order.createTime()))
                .update();
    }

    /** The order that this key of the buyer made. */
    Optional<Order> madeWith(String key, long buyerId) {
        return jdbc.sql(MADE_WITH)
                .params(buyerId, key)
                .query(OrderRepository::read)
                .optional();
    }

    public Optional<Order> find(long id) {
        return jdbc.sql(FIND).param(id).query(OrderRepository::read).optional();
    }

    /** Reads the newest state and locks the row until this transaction ends. */
    public Optional<Order> findAndLock(long id) {
        return jdbc.sql(FIND_AND_LOCK).param(id).query(OrderRepository::read).optional();
    }

    /** The buyer's pending order of this product. */
    Optional<Order> pendingOf(long productId, long buyerId) {
        return jdbc.sql(PENDING_OF)
                .params(productId, buyerId)
                .query(OrderRepository::read)
                .optional();
    }

    /** A buyer's orders, newest first. */
    List<Order> ofBuyer(long buyerId, long offset, int limit) {
        return jdbc.sql(OF_BUYER)
                .params(buyerId, limit, offset)
                .query(OrderRepository::read)
                .list();
    }

    long countOfBuyer(long buyerId) {
        return jdbc.sql(COUNT_OF_BUYER).param(buyerId).query(Long.class).single();
    }

    /** Whether the order was still in the status that the change starts from and is now in the one that it leads to. */
    boolean move(long id, Trigger trigger, Instant now) {
        LocalDateTime time = UtcTimes.column(now);
        String from = trigger.from().word();
        String target = trigger.target().word();
        JdbcClient.StatementSpec update = switch (trigger) {
            case PAY -> jdbc.sql(PAY).params(time, time, id);
            case CANCEL -> jdbc.sql(CANCEL).params(time, id);
            case SHIP, COMPLETE -> jdbc.sql(MOVE).params(target, time, id, from);
        };
        return update.update() == 1;
    }

    /** Whether the order was still pending, created at or before the deadline, and is cancelled now. */
    boolean closeOverdue(long id, Instant deadline, Instant now) {
        return jdbc.sql(CLOSE_OVERDUE)
                        .params(UtcTimes.column(now), id, UtcTimes.column(deadline))
                        .update()
                == 1;
    }

    /** Ids of pending orders created at or before the deadline, greater than this id, ascending. */
    List<Long> overdue(Instant deadline, long afterId, int limit) {
        return jdbc.sql(OVERDUE)
                .params(UtcTimes.column(deadline), afterId, limit)
                .query(Long.class)
                .list();
    }

    /** Whether an event is one of this service's own, which committed together with its order. */
    public boolean hasPublished(String eventId) {
        return jdbc.sql(WAS_PUBLISHED).param(eventId).query(Long.class).single() > 0;
    }

    private static Order read(ResultSet row, int number) throws SQLException {
        return new Order(
                row.getLong("id"),
                row.getString("order_no"),
                row.getLong("buyer_id"),
                row.getLong("seller_id"),
                row.getLong("product_id"),
                row.getInt("quantity"),
                row.getBigDecimal("price"),
                row.getBigDecimal("total_amount"),
                OrderStatus.of(row.getString("status")),
                row.getString("cancel_reason"),
                UtcTimes.read(row, "create_time"),
                UtcTimes.readIfThere(row, "pay_time"),
                UtcTimes.read(row, "update_time"));
    }
}
