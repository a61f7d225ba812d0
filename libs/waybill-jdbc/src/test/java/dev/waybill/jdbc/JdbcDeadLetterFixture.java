package dev.waybill.jdbc;

import dev.waybill.servers.Database;
import dev.waybill.store.DeadLetterStore;
import dev.waybill.testkit.DeadLetterFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Dead letters on a real database. */
final class JdbcDeadLetterFixture implements DeadLetterFixture {

    private final TestPool pool;
    private final JdbcDeadLetterStore store;

    JdbcDeadLetterFixture(Database database) {
        this.pool = new TestPool(database);
        Ddl.applyDeadLetters(pool.connections());
        Ddl.applyDeadLetters(pool.connections()); // a second time must change nothing
        this.store = new JdbcDeadLetterStore(pool.connections());
        store.verify();
    }

    @Override
    public DeadLetterStore store() {
        return store;
    }

    @Override
    public DeadLetterStore restarted() {
        return new JdbcDeadLetterStore(pool.connections());
    }

    @Override
    public List<String> audit() {
        return pool.query("SELECT CONCAT(action, ' ', actor, ' ', reason, ' ', letter_id, ' ', event_id, ' ', event)"
                + " FROM waybill_audit WHERE outbox_table = 'waybill_dead_letter' ORDER BY id");
    }

    @Override
    public void makeOld() {
        try (Connection connection = pool.connections().getConnection()) {
            Dialect dialect = Dialect.of(connection);
            pool.makeOlder(dialect, "waybill_dead_letter", "dead_at");
            pool.makeOlder(dialect, "waybill_dead_letter", "changed_at");
            pool.makeOlder(dialect, "waybill_audit", "decided_at");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void clear() {
        pool.execute("DELETE FROM waybill_dead_letter");
        pool.execute("DELETE FROM waybill_audit");
    }

    @Override
    public void close() {
        pool.close();
    }
}
