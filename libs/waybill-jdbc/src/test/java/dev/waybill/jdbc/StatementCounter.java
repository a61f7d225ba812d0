package dev.waybill.jdbc;

import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Counts the statements that go over a DataSource's connections. What only changes the session is not one. */
final class StatementCounter {

    private final AtomicLong statements = new AtomicLong();

    long statements() {
        return statements.get();
    }

    DataSource over(DataSource target) {
        return StatementObserver.over(target, sql -> {
            if (!sql.startsWith("SET ") || sql.startsWith("SET STATEMENT")) {
                statements.incrementAndGet();
            }
        });
    }
}
