package dev.waybill.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.jdbc.Ddl;
import dev.waybill.jdbc.JdbcAuditReader;
import dev.waybill.jdbc.JdbcOutboxReader;
import dev.waybill.jdbc.OutboxLayouts;
import dev.waybill.jdbc.OutboxMapping;
import dev.waybill.servers.Database;
import dev.waybill.store.AuditReader;
import dev.waybill.store.OutboxReader;
import java.sql.SQLException;

/** A filled outbox in a database of its own, with the indexes for searches, and one connection to it. */
record SearchedTable(
        Database database, SearchedRows rows, HikariDataSource pool, OutboxReader reader, AuditReader audit)
        implements AutoCloseable {

    static final OutboxMapping MAPPING = OutboxLayouts.waybill();

    static SearchedTable filled(Database database, int count) {
        SearchedRows rows = new SearchedRows(count);
        HikariDataSource pool = pool(database);
        Ddl.apply(pool, MAPPING);
        Ddl.applyDeadLetters(pool);
        try {
            rows.insert(pool, database.jdbcUrl().startsWith("jdbc:postgresql:"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        Ddl.applySearchIndexes(pool, MAPPING);
        return new SearchedTable(
                database, rows, pool, new JdbcOutboxReader(pool, MAPPING, "bench"), new JdbcAuditReader(pool, MAPPING));
    }

    static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        return new HikariDataSource(config);
    }

    @Override
    public void close() {
        pool.close();
    }
}
