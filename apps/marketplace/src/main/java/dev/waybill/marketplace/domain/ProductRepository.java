package dev.waybill.marketplace.domain;

import dev.waybill.servicekit.UtcTimes;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Products in {@code products}, and their projection, which readers use, in {@code inventory_projection}. Writes belong to the
 * caller's transaction.
 */
@Repository
public class ProductRepository {

    private static final String INSERT = """
            INSERT INTO products (seller_id, title, price, status, create_time, update_time)
            VALUES (?, ?, ?, 'on_sale', ?, ?)
            """;
    private static final String FIND =
            "SELECT id, seller_id, title, price, status, create_time FROM products WHERE id = ?";
    private static final String MOVE = "UPDATE products SET status = ?, update_time = ? WHERE id = ? AND status = ?";
    private static final String STATUS_AND_LOCK = "SELECT status FROM products WHERE id = ? FOR UPDATE";
    private static final String PROJECTED = "SELECT status FROM inventory_projection WHERE product_id = ?";
    private static final String PROJECT =
            "UPDATE inventory_projection SET status = ?, update_time = ? WHERE product_id = ?";
    private static final String PROJECT_FIRST =
            "INSERT INTO inventory_projection (status, update_time, product_id) VALUES (?, ?, ?)";

    private final JdbcClient jdbc;

    ProductRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Stores a product that is on sale. */
    Product insert(long sellerId, String title, BigDecimal price, Instant now) {
        LocalDateTime time = UtcTimes.column(now);
        return find(GeneratedKey.of(jdbc.sql(INSERT).params(sellerId, title, price, time, time)))
                .orElseThrow();
    }

    Optional<Product> find(long id) {
        return jdbc.sql(FIND)
                .param(id)
                .query((row, number) -> new Product(
                        row.getLong("id"),
                        row.getLong("seller_id"),
                        row.getString("title"),
                        row.getBigDecimal("price"),
                        ProductStatus.of(row.getString("status")),
                        UtcTimes.read(row, "create_time")))
                .optional();
    }

    /** Whether the product was in that status and is in the other one now; its row is locked then. */
    boolean move(long id, ProductStatus from, ProductStatus to, Instant now) {
        return jdbc.sql(MOVE)
                        .params(to.word(), UtcTimes.column(now), id, from.word())
                        .update()
                == 1;
    }

    /**
     * Copies the product's status into the projection. The product's row is locked first, so that of two transactions that
     * copy it, such as a cancel and the event's handler, the later one copies the newer status.
     *
     * @return false when there is no such product
     */
    public boolean project(long productId, Instant now) {
        Optional<String> status =
                jdbc.sql(STATUS_AND_LOCK).param(productId).query(String.class).optional();
        if (status.isEmpty()) {
            return false;
        }
        LocalDateTime time = UtcTimes.column(now);
        if (jdbc.sql(PROJECT).params(status.get(), time, productId).update() == 0) {
            jdbc.sql(PROJECT_FIRST).params(status.get(), time, productId).update();
        }
        return true;
    }

    /** What the projection says. */
    Optional<ProductStatus> projected(long productId) {
        return jdbc.sql(PROJECTED)
                .param(productId)
                .query(String.class)
                .optional()
                .map(ProductStatus::of);
    }
}
