package dev.waybill.order.db;

import dev.waybill.order.domain.Item;
import dev.waybill.order.domain.Order;
import dev.waybill.order.domain.OrderStatus;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** A row of {@code t_order}: an order without its items. */
record OrderRow(
        String orderNo,
        long userId,
        OrderStatus status,
        BigDecimal amount,
        int version,
        Instant createdAt,
        Instant updatedAt) {

    static OrderRow read(ResultSet row, int number) throws SQLException {
        return new OrderRow(
                row.getString("order_no"),
                row.getLong("user_id"),
                OrderStatus.valueOf(row.getString("status")),
                row.getBigDecimal("amount"),
                row.getInt("version"),
                Times.read(row, "created_at"),
                Times.read(row, "updated_at"));
    }

    Order with(List<Item> items) {
        return new Order(orderNo, userId, status, amount, items, version, createdAt, updatedAt);
    }
}
