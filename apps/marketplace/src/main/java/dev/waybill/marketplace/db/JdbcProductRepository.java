package dev.waybill.marketplace.db;

import dev.waybill.marketplace.domain.NewProduct;
import dev.waybill.marketplace.domain.Product;
import dev.waybill.marketplace.domain.ProductRepository;
import dev.waybill.marketplace.domain.ProductStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Products in {@code products}, their projection in {@code inventory_projection}. */
@Repository
class JdbcProductRepository implements ProductRepository {

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

    JdbcProductRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Product insert(NewProduct product, Instant now) {
        LocalDateTime time = Times.column(now);
        long id = GeneratedKey.of(
                jdbc.sql(INSERT).params(product.sellerId(), product.title(), product.price(), time, time));
        return find(id).orElseThrow();
    }

    @Override
    public Optional<Product> find(long id) {
        return jdbc.sql(FIND).param(id).query(JdbcProductRepository::read).optional();
    }

    @Override
    public boolean move(long id, ProductStatus from, ProductStatus to, Instant now) {
        return jdbc.sql(MOVE)
                        .params(to.word(), Times.column(now), id, from.word())
                        .update()
                == 1;
    }

    @Override
    public boolean project(long productId, Instant now) {
        Optional<String> status =
                jdbc.sql(STATUS_AND_LOCK).param(productId).query(String.class).optional();
        if (status.isEmpty()) {
            return false;
        }
        LocalDateTime time = Times.column(now);
        if (jdbc.sql(PROJECT).params(status.get(), time, productId).update() == 0) {
            jdbc.sql(PROJECT_FIRST).params(status.get(), time, productId).update();
        }
        return true;
    }

    @Override
    public Optional<ProductStatus> projected(long productId) {
        return jdbc.sql(PROJECTED)
                .param(productId)
                .query(String.class)
                .optional()
                .map(ProductStatus::of);
    }

    private static Product read(ResultSet row, int number) throws SQLException {
        return new Product(
                row.getLong("id"),
                row.getLong("seller_id"),
                row.getString("title"),
                row.getBigDecimal("price"),
                ProductStatus.of(row.getString("status")),
                Times.read(row, "create_time"));
    }
}
