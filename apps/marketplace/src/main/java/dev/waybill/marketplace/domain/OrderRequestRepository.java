package dev.waybill.marketplace.domain;

import dev.waybill.servicekit.UtcTimes;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Which order a buyer's idempotency key made, in {@code order_requests}; kept as long as the order. */
@Repository
class OrderRequestRepository {

    private static final String FIND = "SELECT order_id FROM order_requests WHERE buyer_id = ? AND idempotency_key = ?";
    private static final String INSERT =
            "INSERT INTO order_requests (buyer_id, idempotency_key, order_id, create_time) VALUES (?, ?, ?, ?)";

    private final JdbcClient jdbc;

    OrderRequestRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Long> orderOf(long buyerId, String key) {
        return jdbc.sql(FIND).params(buyerId, key).query(Long.class).optional();
    }

    /** A duplicate key when another transaction used the key at the same time: the repeat finds that one's order. */
    void insert(Order order, String key) {
        jdbc.sql(INSERT)
                .params(order.buyerId(), key, order.id(), UtcTimes.column(order.createTime()))
                .update();
    }
}
