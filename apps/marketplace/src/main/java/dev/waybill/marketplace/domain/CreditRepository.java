package dev.waybill.marketplace.domain;

import dev.waybill.servicekit.UtcTimes;
import java.time.Instant;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Buyers' credit in {@code buyer_credit}. Writes belong to the caller's transaction. */
@Repository
public class CreditRepository {

    private static final String FIND = """
            SELECT buyer_id, cancelled_orders, timeout_orders, score, recomputed, update_time
            FROM buyer_credit WHERE buyer_id = ?
            """;
    private static final String OPEN = """
            INSERT INTO buyer_credit (buyer_id, cancelled_orders, timeout_orders, score, recomputed, update_time)
            VALUES (?, 0, 0, ?, 0, ?)
            """;
    private static final String LOCK = "SELECT buyer_id FROM buyer_credit WHERE buyer_id = ? FOR UPDATE";
    private static final String COUNT_CANCELLED =
            "SELECT COUNT(*) FROM orders WHERE buyer_id = ? AND status = 'cancelled'";
    private static final String COUNT_TIMED_OUT = COUNT_CANCELLED + " AND cancel_reason = 'timeout'";
    private static final String WRITE = """
            UPDATE buyer_credit
            SET cancelled_orders = ?, timeout_orders = ?, score = ?, recomputed = recomputed + 1, update_time = ?
            WHERE buyer_id = ?
            """;

    private final JdbcClient jdbc;

    CreditRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Inserts the buyer's row if there is none; a duplicate key when another transaction inserts it at the same time. */
    void open(long buyerId, Instant now) {
        if (find(buyerId).isEmpty()) {
            jdbc.sql(OPEN)
                    .params(buyerId, Credit.score(0, 0), UtcTimes.column(now))
                    .update();
        }
    }

    /** Counts the buyer's cancelled orders again. The row is locked, so that two cancels of one buyer count one after the other. */
    void recompute(long buyerId, Instant now) {
        if (jdbc.sql(LOCK).param(buyerId).query(Long.class).optional().isEmpty()) {
            open(buyerId, now); // an order from before this table
        }
        int cancelled = count(COUNT_CANCELLED, buyerId);
        int timedOut = count(COUNT_TIMED_OUT, buyerId);
        jdbc.sql(WRITE)
                .params(cancelled, timedOut, Credit.score(cancelled, timedOut), UtcTimes.column(now), buyerId)
                .update();
    }

    private int count(String sql, long buyerId) {
        return jdbc.sql(sql).param(buyerId).query(Integer.class).single();
    }

    public Optional<Credit> find(long buyerId) {
        return jdbc.sql(FIND)
                .param(buyerId)
                .query((row, number) -> new Credit(
                        row.getLong("buyer_id"),
                        row.getInt("cancelled_orders"),
                        row.getInt("timeout_orders"),
                        row.getInt("score"),
                        row.getInt("recomputed"),
                        UtcTimes.read(row, "update_time")))
                .optional();
    }
}
