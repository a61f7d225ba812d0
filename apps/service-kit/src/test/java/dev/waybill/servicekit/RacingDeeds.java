package dev.waybill.servicekit;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Writes a row in a retried transaction, and fails as told before it commits. */
@Service
class RacingDeeds {

    private final JdbcClient jdbc;
    private final AtomicInteger runs = new AtomicInteger();

    RacingDeeds(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @RetriedTransaction
    public int write(int failures, RuntimeException failure) {
        int run = runs.incrementAndGet();
        jdbc.sql("INSERT INTO deed (run) VALUES (?)").param(run).update();
        if (run <= failures) {
            throw failure;
        }
        return run;
    }

    int runs() {
        return runs.get();
    }

    void startAnew() {
        runs.set(0);
        jdbc.sql("CREATE TABLE IF NOT EXISTS deed (run INT)").update();
        jdbc.sql("DELETE FROM deed").update();
    }

    int rows() {
        return jdbc.sql("SELECT COUNT(*) FROM deed").query(Integer.class).single();
    }
}
