package dev.waybill.marketplace.db;

import dev.waybill.marketplace.domain.Order;
import dev.waybill.marketplace.domain.OrderRepository;
import dev.waybill.marketplace.domain.OrderStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Orders in {@code orders}. Every update has the expected status in its condition; the row count says whether it won. */
@Repository
class JdbcOrderRepository implements OrderRepository {

    private static final String FIND = """
            SELECT id, order_no, buyer_id, seller_id, product_id, quantity, price, total_amount, status, cancel_reason,
                   create_time, pay_time, update_time
            FROM orders WHERE id = ?
            """;
    private static final String FIND_AND_LOCK = FIND + " FOR UPDATE";
    private static final String INSERT = """
            INSERT INTO orders
              (order_no, buyer_id, seller_id, product_id, quantity, price, total_amount, status, create_time, update_time)
            VALUES (?, ?, ?, ?, 1, ?, ?, 'pending', ?, ?)
            """;
    private static final String MOVE = "UPDATE orders SET status = ?, update_time = ? WHERE id = ? AND status = ?";
    private static final String PAY = """
            UPDATE orders SET status = 'paid', pay_time = ?, update_time = ? WHERE id = ? AND status = 'pending'
            """;
    private static final String CANCEL = """
            UPDATE orders SET status = 'cancelled', cancel_reason = ?, update_time = ? WHERE id = ? AND status = 'pending'
            """;
    private static final String CLOSE_OVERDUE = """
            UPDATE orders SET status = 'cancelled', cancel_reason = 'timeout', update_time = ?
            WHERE id = ? AND status = 'pending' AND create_time <= ?
            """;
    private static final String OVERDUE = """
            SELECT id FROM orders WHERE status = 'pending' AND create_time <= ? AND id > ? ORDER BY id LIMIT ?
            """;

    private final JdbcClient jdbc;

    JdbcOrderRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Order insert(Draft draft) {
        LocalDateTime now = Times.column(draft.createTime());
        long id = GeneratedKey.of(jdbc.sql(INSERT)
                .params(
                        draft.orderNo(),
                        draft.buyerId(),
                        draft.product().sellerId(),
                        draft.product().id(),
                        draft.product().price(),
                        draft.totalAmount(),
                        now,
                        now));
        return find(id).orElseThrow();
    }

    @Override
    public Optional<Order> find(long id) {
        return jdbc.sql(FIND).param(id).query(JdbcOrderRepository::read).optional();
    }

    @Override
    public Optional<Order> findAndLock(long id) {
        return jdbc.sql(FIND_AND_LOCK)
                .param(id)
                .query(JdbcOrderRepository::read)
                .optional();
    }

    @Override
    public boolean move(long id, OrderStatus from, OrderStatus to, Instant now) {
        LocalDateTime time = Times.column(now);
        return to == OrderStatus.PAID
                ? jdbc.sql(PAY).params(time, time, id).update() == 1
                : jdbc.sql(MOVE).params(to.word(), time, id, from.word()).update() == 1;
    }

    @Override
    public boolean cancel(long id, String reason, Instant now) {
        return jdbc.sql(CANCEL).params(reason, Times.column(now), id).update() == 1;
    }

    @Override
    public boolean closeOverdue(long id, Instant deadline, Instant now) {
        return jdbc.sql(CLOSE_OVERDUE)
                        .params(Times.column(now), id, Times.column(deadline))
                        .update()
                == 1;
    }

    @Override
    public List<Long> overdue(Instant deadline, long afterId, int limit) {
        return jdbc.sql(OVERDUE)
                .params(Times.column(deadline), afterId, limit)
                .query(Long.class)
                .list();
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
                Times.read(row, "create_time"),
                Times.readIfThere(row, "pay_time"),
                Times.read(row, "update_time"));
    }
}
