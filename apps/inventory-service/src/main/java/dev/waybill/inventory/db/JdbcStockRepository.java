package dev.waybill.inventory.db;

import dev.waybill.inventory.domain.Line;
import dev.waybill.inventory.domain.StockKey;
import dev.waybill.inventory.domain.StockLevel;
import dev.waybill.inventory.domain.StockRepository;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

/** Stock in {@code t_inventory}. Rows are locked one by one by their whole primary key, so that no other row or gap is locked. */
@Repository
class JdbcStockRepository implements StockRepository {

    /** More than any warehouse has, and far below the largest number that Redis's Lua counts exactly. */
    static final long MOST = 1_000_000_000_000L;

    private static final String COLUMNS = "SELECT warehouse_id, sku_id, available, reserved, version FROM t_inventory ";

    private static final String FIND = COLUMNS + "WHERE warehouse_id = ? AND sku_id = ?";

    private static final String LOCK = FIND + " FOR UPDATE";

    private static final String FIRST_PAGE = COLUMNS + "ORDER BY warehouse_id, sku_id LIMIT ?";

    private static final String NEXT_PAGE = COLUMNS + """
            WHERE warehouse_id > ? OR (warehouse_id = ? AND sku_id > ?)
            ORDER BY warehouse_id, sku_id LIMIT ?""";

    private static final String RESERVE = """
            UPDATE t_inventory
               SET available = available - ?, reserved = reserved + ?,
                   version = version + 1, updated_at = CURRENT_TIMESTAMP(3)
             WHERE warehouse_id = ? AND sku_id = ? AND available >= ?""";

    private static final String RELEASE = """
            UPDATE t_inventory
               SET available = available + ?, reserved = reserved - ?,
                   version = version + 1, updated_at = CURRENT_TIMESTAMP(3)
             WHERE warehouse_id = ? AND sku_id = ? AND reserved >= ?""";

    private static final String ADD = """
            UPDATE t_inventory
               SET available = available + ?, version = version + 1, updated_at = CURRENT_TIMESTAMP(3)
             WHERE warehouse_id = ? AND sku_id = ? AND available + reserved <= ?""";

    private static final String INSERT = """
            INSERT INTO t_inventory (warehouse_id, sku_id, available, reserved, version)
            VALUES (?, ?, ?, 0, 1)""";

    private final JdbcTemplate jdbc;

    JdbcStockRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public Optional<StockLevel> find(StockKey key) {
        return one(FIND, key);
    }

    private Optional<StockLevel> one(String sql, StockKey key) {
        return jdbc.query(sql, JdbcStockRepository::level, key.warehouseId(), key.skuId()).stream()
                .findFirst();
    }

    @Override
    public List<StockLevel> read(List<StockKey> keys) {
        return keys.stream().map(this::find).flatMap(Optional::stream).toList();
    }

    @Override
    public List<StockLevel> lock(List<StockKey> keys) {
        return keys.stream()
                .sorted()
                .map(key -> one(LOCK, key))
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public void reserve(List<Line> lines) {
        move(RESERVE, lines);
    }

    @Override
    public void release(List<Line> lines) {
        move(RELEASE, lines);
    }

    private void move(String sql, List<Line> lines) {
        int[] changed = jdbc.batchUpdate(
                sql,
                lines.stream()
                        .map(line -> new Object[] {
                            line.quantity(),
                            line.quantity(),
                            line.key().warehouseId(),
                            line.key().skuId(),
                            line.quantity()
                        })
                        .toList());
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] != 1) {
                throw new IllegalStateException("the row of " + lines.get(i).key() + " has less than "
                        + lines.get(i).quantity() + " although it is locked");
            }
        }
    }

    @Override
    public Optional<StockLevel> receive(Line line) {
        StockKey key = line.key();
        if (find(key).isEmpty() && inserted(line)) {
            return find(key);
        }
        long room = MOST - line.quantity();
        return jdbc.update(ADD, line.quantity(), key.warehouseId(), key.skuId(), room) == 1
                ? find(key)
                : Optional.empty();
    }

    private boolean inserted(Line line) {
        try {
            jdbc.update(INSERT, line.key().warehouseId(), line.key().skuId(), line.quantity());
            return true;
        } catch (DuplicateKeyException e) {
            return false; // another transaction inserted the row meanwhile
        }
    }

    @Override
    public List<StockLevel> page(@Nullable StockKey after, int size) {
        return after == null
                ? jdbc.query(FIRST_PAGE, JdbcStockRepository::level, size)
                : jdbc.query(
                        NEXT_PAGE,
                        JdbcStockRepository::level,
                        after.warehouseId(),
                        after.warehouseId(),
                        after.skuId(),
                        size);
    }

    private static StockLevel level(ResultSet row, int number) throws SQLException {
        return new StockLevel(
                new StockKey(row.getLong("warehouse_id"), row.getString("sku_id")),
                row.getLong("available"),
                row.getLong("reserved"),
                row.getLong("version"));
    }
}
