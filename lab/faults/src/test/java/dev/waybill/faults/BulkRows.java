package dev.waybill.faults;

import java.time.Duration;

/** Makes one statement that fills Waybill's own table with waiting rows, as many as a day of trouble leaves. */
final class BulkRows {

    private static final String DIGITS = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3"
            + " UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8"
            + " UNION ALL SELECT 9)";

    private BulkRows() {}

    /** The rows become due a millisecond apart, beginning so long ago, but none in the future. */
    static String insert(String url, String ids, int rows, String topic, String tag, Duration ago) {
        boolean postgreSql = url.startsWith("jdbc:postgresql:");
        String now = postgreSql ? "statement_timestamp()" : "UTC_TIMESTAMP(3)";
        String due = String.format(
                postgreSql
                        ? "%s - GREATEST(%d - n, 0) * INTERVAL '1 millisecond'"
                        : "%s - INTERVAL GREATEST(%d - n, 0) * 1000 MICROSECOND",
                now,
                ago.toMillis());
        String numbers = postgreSql
                ? "generate_series(0, " + (rows - 1) + ") AS n"
                : "(SELECT a.d * 100000 + b.d * 10000 + c.d * 1000 + e.d * 100 + f.d * 10 + g.d AS n FROM " + DIGITS
                        + " a, " + DIGITS + " b, " + DIGITS + " c, " + DIGITS + " e, " + DIGITS + " f, " + DIGITS
                        + " g) AS numbers WHERE n < " + rows + " ORDER BY n";
        return String.format("""
                INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, topic, tag, due_at)
                SELECT CONCAT('%s-', 1000000000 + n), 'OrderCreated', %s,
                    CONCAT('{"orderNo":"', n, '","note":"', REPEAT('x', 200), '"}'), '%s', '%s', %s
                FROM %s""", ids, now, topic, tag, due, numbers);
    }
}
