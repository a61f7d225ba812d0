package dev.waybill.bench;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import javax.sql.DataSource;

/**
 * A week of events, made by the database itself, with ids of version 7: of twenty types, for five topics, each with a key and a
 * trace. Of any number of rows 500 are DEAD and 200 wait; the others were sent.
 */
final class SearchedRows {

    static final Duration AGE = Duration.ofDays(7);

    static final int DEAD = 500;
    private static final int RETRIED = 200;

    private static final String POSTGRESQL = """
            INSERT INTO waybill_outbox (event_id, event_type, biz_key, occurred_at, created_at, trace_id, payload, topic, tag,
              status, attempts, due_at, sent_at)
            SELECT substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-' || lpad(to_hex(n), 12, '0'),
              'Type' || n %% 20, 'ORD' || md5(n::text), t, t, md5('t' || n), repeat('x', 200), 'TOPIC' || n %% 5, 'TAG',
              CASE WHEN n %% %2$d = 0 THEN 'DEAD' WHEN n %% %3$d = 1 THEN 'RETRY' ELSE 'SENT' END,
              CASE WHEN n %% %2$d = 0 OR n %% %3$d = 1 THEN 3 ELSE 0 END, t + interval '1 year', t
            FROM (SELECT n, lpad(to_hex(%4$d + n * %5$d / 1000), 12, '0') AS h,
                to_timestamp((%4$d + n * %5$d / 1000) / 1000.0) AS t FROM generate_series(1::bigint, %1$d) AS n) AS made""";

    private static final String MARIADB = """
            INSERT INTO waybill_outbox (event_id, event_type, biz_key, occurred_at, created_at, trace_id, payload, topic, tag,
              status, attempts, due_at, sent_at)
            SELECT CONCAT(SUBSTR(h, 1, 8), '-', SUBSTR(h, 9, 4), '-7000-8000-', LPAD(LOWER(HEX(n)), 12, '0')),
              CONCAT('Type', n %% 20), CONCAT('ORD', MD5(n)), t, t, MD5(CONCAT('t', n)), REPEAT('x', 200),
              CONCAT('TOPIC', n %% 5), 'TAG',
              CASE WHEN n %% %2$d = 0 THEN 'DEAD' WHEN n %% %3$d = 1 THEN 'RETRY' ELSE 'SENT' END,
              CASE WHEN n %% %2$d = 0 OR n %% %3$d = 1 THEN 3 ELSE 0 END,
              CASE WHEN n %% %2$d = 0 THEN '9998-12-31' WHEN n %% %3$d = 1 THEN t + INTERVAL 1 YEAR ELSE '9999-12-31' END, t
            FROM (SELECT seq AS n, LPAD(LOWER(HEX(%4$d + seq * %5$d DIV 1000)), 12, '0') AS h,
                TIMESTAMP '1970-01-01 00:00:00' + INTERVAL (%4$d + seq * %5$d DIV 1000) * 1000 MICROSECOND AS t
              FROM seq_1_to_%1$d) AS made""";

    private final int rows;
    private final long firstMillis;
    private final long stepMicros;

    SearchedRows(int rows) {
        this.rows = rows;
        this.firstMillis = Instant.now().minus(AGE).toEpochMilli();
        this.stepMicros = AGE.toMillis() * 1000 / rows;
    }

    int rows() {
        return rows;
    }

    /** When the row of this number was written, counted from 1. */
    Instant writtenAt(long number) {
        return Instant.ofEpochMilli(firstMillis + number * stepMicros / 1000);
    }

    String id(long number) {
        String time = String.format(Locale.ROOT, "%012x", writtenAt(number).toEpochMilli());
        return time.substring(0, 8) + "-" + time.substring(8) + "-7000-8000-"
                + String.format(Locale.ROOT, "%012x", number);
    }

    String key(long number) {
        return "ORD" + md5(String.valueOf(number));
    }

    String traceId(long number) {
        return md5("t" + number);
    }

    private static String md5(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    void insert(DataSource dataSource, boolean postgreSql) throws SQLException {
        String rowsOf = postgreSql ? POSTGRESQL : MARIADB;
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(String.format(rowsOf, rows, rows / DEAD, rows / RETRIED, firstMillis, stepMicros));
            statement.execute(postgreSql ? "VACUUM ANALYZE waybill_outbox" : "ANALYZE TABLE waybill_outbox");
        }
    }
}
