package dev.waybill.inventory.domain;

import dev.waybill.servicekit.UtcTimes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The stock's rows in {@code t_inventory}, which decide. {@code available} never goes below zero.
 *
 * <p>Every transaction locks rows in the order of their keys, so that none deadlocks. One statement locks all rows of an order:
 * it walks the primary key, and MySQL and MariaDB lock what they walk over in that order.
 */
@Repository
public class StockRepository {

    /** More than any warehouse has, and far below the largest number that Redis's Lua counts exactly. */
    static final long MOST = 1_000_000_000_000L;

    /** MariaDB turns a list of a thousand keys into a join, which could lock in another order. */
    static final int KEYS_AT_ONCE = 500;

    /** MySQL and MariaDB execute this comment, H2 skips it. Without it a small table is scanned, and others' rows waited for. */
    private static final String BY_PRIMARY_KEY = " /*! FORCE INDEX (PRIMARY) */ ";

    private static final String COLUMNS =
            "SELECT warehouse_id, sku_id, available, reserved, version, updated_at FROM t_inventory ";

    private static final String READ =
            COLUMNS + BY_PRIMARY_KEY + "WHERE (warehouse_id, sku_id) IN (:keys) ORDER BY warehouse_id, sku_id";

    static final String LOCK = READ + " FOR UPDATE";

    /** What the order has of the row that the statement is at. */
    private static final String ORDERED = """
            (SELECT i.quantity FROM t_inventory_reservation_item i
              WHERE i.order_no = :orderNo AND i.warehouse_id = t_inventory.warehouse_id
                AND i.sku_id = t_inventory.sku_id)""";

    static final String RESERVE = """
            UPDATE t_inventory%1$s
               SET available = available - %2$s, reserved = reserved + %2$s, version = version + 1, updated_at = :now
             WHERE (warehouse_id, sku_id) IN (:keys) AND available >= %2$s""".formatted(BY_PRIMARY_KEY, ORDERED);

    private static final String RELEASE = """
            UPDATE t_inventory%1$s
               SET available = available + %2$s, reserved = reserved - %2$s, version = version + 1, updated_at = :now
             WHERE (warehouse_id, sku_id) IN (:keys) AND reserved >= %2$s""".formatted(BY_PRIMARY_KEY, ORDERED);

    private static final String ADD = """
            UPDATE t_inventory SET available = available + :quantity, version = version + 1, updated_at = :now
             WHERE warehouse_id = :warehouse AND sku_id = :sku AND available + reserved <= :room""";

    private static final String INSERT = """
            INSERT INTO t_inventory (warehouse_id, sku_id, available, reserved, version, created_at, updated_at)
            VALUES (:warehouse, :sku, :quantity, 0, 1, :now, :now)""";

    private static final String PAGE = COLUMNS + """
            WHERE warehouse_id > :warehouse OR (warehouse_id = :warehouse AND sku_id > :sku)
            ORDER BY warehouse_id, sku_id LIMIT :size""";

    private static final String CHANGED = COLUMNS + """
            WHERE updated_at BETWEEN :since AND :until
              AND (updated_at > :since OR warehouse_id > :warehouse OR (warehouse_id = :warehouse AND sku_id > :sku))
            ORDER BY updated_at, warehouse_id, sku_id LIMIT :size""";

    private final JdbcClient jdbc;
    private final Clock clock;

    StockRepository(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    public Optional<StockLevel> find(StockKey key) {
        return read(List.of(key)).stream().findFirst();
    }

    /** The levels of those that exist, in the order of their keys, read without a lock. */
    public List<StockLevel> read(List<StockKey> keys) {
        return read(READ, keys);
    }

    /** Locks the rows in the order of their keys, until the transaction ends; those that exist. */
    public List<StockLevel> lock(List<StockKey> keys) {
        return read(LOCK, keys);
    }

    private List<StockLevel> read(String sql, List<StockKey> keys) {
        List<StockLevel> levels = new ArrayList<>(keys.size());
        for (List<StockKey> some : chunks(keys.stream().sorted().toList())) {
            levels.addAll(jdbc.sql(sql)
                    .param("keys", columns(some))
                    .query(StockRepository::level)
                    .list());
        }
        return levels;
    }

    /**
     * Takes the order's stored lines from the rows, which are locked.
     *
     * @throws IllegalStateException when a row has less: the transaction must not commit
     */
    void reserve(OrderLines order) {
        move(RESERVE, order);
    }

    /** Gives the order's stored lines back. */
    void release(OrderLines order) {
        move(RELEASE, order);
    }

    private void move(String sql, OrderLines order) {
        for (List<StockKey> some : chunks(order.keys())) {
            int moved = jdbc.sql(sql)
                    .param("keys", columns(some))
                    .param("orderNo", order.orderNo())
                    .param("now", UtcTimes.column(clock.instant()))
                    .update();
            if (moved != some.size()) {
                throw new IllegalStateException("of " + some.size() + " locked rows " + moved + " have what order "
                        + order.orderNo() + " moves, from " + some.get(0));
            }
        }
    }

    /**
     * Adds received stock, in a row of its own where it is the first. Empty when the row would hold more than it may.
     *
     * @throws org.springframework.dao.DuplicateKeyException when another transaction inserted the row meanwhile
     */
    Optional<StockLevel> receive(Line line) {
        boolean first = find(line.key()).isEmpty();
        int written = jdbc.sql(first ? INSERT : ADD)
                .param("warehouse", line.warehouseId())
                .param("sku", line.skuId())
                .param("quantity", line.quantity())
                .param("now", UtcTimes.column(clock.instant()))
                .param("room", MOST - line.quantity())
                .update();
        return written == 1 ? find(line.key()) : Optional.empty();
    }

    /** The next rows after this key, in the order of their keys. */
    List<StockLevel> page(StockKey after, int size) {
        return jdbc.sql(PAGE)
                .param("warehouse", after.warehouseId())
                .param("sku", after.skuId())
                .param("size", size)
                .query(StockRepository::level)
                .list();
    }

    /** The next rows that changed at {@code since} and come after this key, or changed later but not after {@code until}. */
    List<StockLevel> changed(Instant since, StockKey after, Instant until, int size) {
        return jdbc.sql(CHANGED)
                .param("since", UtcTimes.column(since))
                .param("until", UtcTimes.column(until))
                .param("warehouse", after.warehouseId())
                .param("sku", after.skuId())
                .param("size", size)
                .query(StockRepository::level)
                .list();
    }

    private static List<List<StockKey>> chunks(List<StockKey> keys) {
        List<List<StockKey>> chunks = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += KEYS_AT_ONCE) {
            chunks.add(keys.subList(from, Math.min(keys.size(), from + KEYS_AT_ONCE)));
        }
        return chunks;
    }

    private static List<Object[]> columns(List<StockKey> keys) {
        return keys.stream()
                .map(key -> new Object[] {key.warehouseId(), key.skuId()})
                .toList();
    }

    private static StockLevel level(ResultSet row, int number) throws SQLException {
        return new StockLevel(
                new StockKey(row.getLong("warehouse_id"), row.getString("sku_id")),
                row.getLong("available"),
                row.getLong("reserved"),
                row.getLong("version"),
                UtcTimes.read(row, "updated_at"));
    }
}
