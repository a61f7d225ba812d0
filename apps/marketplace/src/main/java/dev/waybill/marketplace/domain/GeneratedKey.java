package dev.waybill.marketplace.domain;

import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.GeneratedKeyHolder;

/** The id that the database generated for a new row. */
final class GeneratedKey {

    private GeneratedKey() {}

    static long of(StatementSpec insert) {
        GeneratedKeyHolder generated = new GeneratedKeyHolder();
        insert.update(generated, "id");
        Number id = generated.getKey();
        if (id == null) {
            throw new IllegalStateException("the database generated no id");
        }
        return id.longValue();
    }
}
