package dev.waybill.order.db;

import dev.waybill.order.domain.Item;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The lines of orders, in {@code t_order_item}. */
@Component
class OrderItemTable {

    private static final String INSERT = """
            INSERT INTO t_order_item (order_no, line_no, sku_id, warehouse_id, quantity, price)
            VALUES (?, ?, ?, ?, ?, ?)
            """;
    private static final String OF_ORDERS = """
            SELECT order_no, sku_id, warehouse_id, quantity, price
            FROM t_order_item WHERE order_no IN (:orderNos) ORDER BY order_no, line_no
            """;

    private final JdbcClient jdbc;
    private final JdbcOperations batches;

    OrderItemTable(JdbcClient jdbc, JdbcOperations batches) {
        this.jdbc = jdbc;
        this.batches = batches;
    }

    void insert(String orderNo, List<Item> items) {
        List<Object[]> rows = new ArrayList<>(items.size());
        for (Item item : items) {
            rows.add(new Object[] {
                orderNo, rows.size() + 1, item.skuId(), item.warehouseId(), item.quantity(), item.price()
            });
        }
        batches.batchUpdate(INSERT, rows);
    }

    List<Item> of(String orderNo) {
        return of(List.of(orderNo)).getOrDefault(orderNo, List.of());
    }

    Map<String, List<Item>> of(List<String> orderNos) {
        Map<String, List<Item>> items = new LinkedHashMap<>();
        if (!orderNos.isEmpty()) {
            jdbc.sql(OF_ORDERS).param("orderNos", orderNos).query(row -> {
                items.computeIfAbsent(row.getString("order_no"), none -> new ArrayList<>())
                        .add(read(row));
            });
        }
        return items;
    }

    private static Item read(ResultSet row) throws SQLException {
        return new Item(
                row.getString("sku_id"),
                row.getLong("warehouse_id"),
                row.getInt("quantity"),
                row.getBigDecimal("price"));
    }
}
