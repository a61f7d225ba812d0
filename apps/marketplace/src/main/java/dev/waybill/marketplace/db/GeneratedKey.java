package dev.waybill.marketplace.db;

import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.GeneratedKeyHolder;

/** The id that a table made for a new row. */
final class GeneratedKey {

    private GeneratedKey() {}

    static long of(StatementSpec insert) {
        GeneratedKeyHolder made = new GeneratedKeyHolder();
        insert.update(made, "id");
        Number id = made.getKey();
        if (id == null) {
            throw new IllegalStateException("the table made no id");
        }
        return id.longValue();
    }
}
