package dev.waybill.bench;

import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Rows that were sent and that retention has not removed yet, made by the database itself. */
final class RetainedRows {

    private static final String POSTGRESQL = """
            INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, due_at, sent_at)
            SELECT 'kept-' || lpad(n::text, 10, '0'), 'OrderCreated', now() - interval '1 day', repeat('x', 200), 'SENT',
              now() - interval '1 day', now() - interval '1 day'
            FROM generate_series(1, %d) AS n""";

    /** On MariaDB a settled row has this due time, so that the index on due times passes over it. */
    private static final String MARIADB = """
            INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, due_at, sent_at)
            SELECT CONCAT('kept-', LPAD(seq, 10, '0')), 'OrderCreated', UTC_TIMESTAMP(3) - INTERVAL 1 DAY, REPEAT('x', 200),
              'SENT', '9999-12-31', UTC_TIMESTAMP(3) - INTERVAL 1 DAY
            FROM seq_1_to_%d""";

    /** The type of {@link #insertOld}'s events. */
    static final String TYPE = "Retained";

    /** Random bytes, because what repeats itself would be packed by anything. */
    private static final String OLD_POSTGRESQL = """
            INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, due_at, created_at, sent_at)
            SELECT '%s' || lpad(to_hex(n), 12, '0'), '%s', past.moment, repeat(md5(n::text), 7), 'SENT', past.moment, past.moment, past.moment
            FROM generate_series(1, %d) AS n, (SELECT now() - interval '12 days' AS moment) AS past""";

    private static final String OLD_MARIADB = """
            INSERT INTO waybill_outbox (event_id, event_type, occurred_at, payload, status, due_at, created_at, sent_at)
            SELECT CONCAT('%s', LPAD(LOWER(HEX(seq)), 12, '0')), '%s', past.moment, REPEAT(MD5(seq), 7), 'SENT', '9999-12-31', past.moment, past.moment
            FROM seq_1_to_%d, (SELECT UTC_TIMESTAMP(3) - INTERVAL 12 DAY AS moment) AS past""";

    private RetainedRows() {}

    /** Rows that retention may remove, with ids of version 7 that were made nine days ago. */
    static void insertOld(Database database, int rows) throws SQLException {
        long made = System.currentTimeMillis() - Duration.ofDays(9).toMillis();
        String ids = String.format("%08x-%04x-7000-8000-", made >>> 16, made & 0xffff);
        insert(database, String.format(isPostgreSql(database) ? OLD_POSTGRESQL : OLD_MARIADB, ids, TYPE, rows));
    }

    static void insert(Database database, int rows) throws SQLException {
        insert(database, String.format(isPostgreSql(database) ? POSTGRESQL : MARIADB, rows));
    }

    private static boolean isPostgreSql(Database database) {
        return database.jdbcUrl().startsWith("jdbc:postgresql:");
    }

    private static void insert(Database database, String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            if (isPostgreSql(database)) {
                statement.execute("VACUUM ANALYZE waybill_outbox");
            }
        }
    }
}
