package dev.waybill.bench;

import dev.waybill.servers.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Rows that were sent yesterday and that retention has not removed yet, made by the database itself. */
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

    private RetainedRows() {}

    static void insert(Database database, int rows) throws SQLException {
        boolean postgreSql = database.jdbcUrl().startsWith("jdbc:postgresql:");
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(String.format(postgreSql ? POSTGRESQL : MARIADB, rows));
            if (postgreSql) {
                statement.execute("VACUUM ANALYZE waybill_outbox");
            }
        }
    }
}
