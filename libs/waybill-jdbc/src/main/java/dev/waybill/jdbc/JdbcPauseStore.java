package dev.waybill.jdbc;

import dev.waybill.store.OperatorDecision;
import dev.waybill.store.PauseStore;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Keeps what is paused in {@code waybill_pause}, and who decided it in {@code waybill_audit} beside it. */
public final class JdbcPauseStore implements PauseStore {

    static final String TABLE = "waybill_pause";

    private static final String PAUSED = """
            SELECT part, actor, reason, {pausedMicros} FROM waybill_pause
            WHERE scope = :scope
            ORDER BY part""";

    private static final String PAUSE = """
            INSERT INTO waybill_pause (scope, part, actor, reason, paused_at)
            VALUES (:scope, :part, :actor, :reason, CURRENT_TIMESTAMP(3))""";

    private static final String RESUME = "DELETE FROM waybill_pause WHERE scope = :scope AND part = :part";

    private final SqlConnections connections;
    private volatile @Nullable Dialect dialect;

    /** Makes the store; connects to nothing yet. */
    public JdbcPauseStore(DataSource dataSource) {
        this.connections = new SqlConnections(dataSource);
    }

    /** Checks the table, so that a mistake shows at start-up. */
    public void verify() {
        paused("");
    }

    @Override
    public List<PausedPart> paused(String scope) {
        Dialect known = dialect();
        SqlTimes times = SqlTimes.of(known, false, SqlTimeZone.SESSION);
        String sql = PAUSED.replace("{pausedMicros}", times.epochMicros("paused_at"));
        return connections.once(
                "look",
                TABLE,
                known,
                connection -> new SqlCall(sql)
                        .set("scope", scope)
                        .query(
                                connection,
                                row -> new PausedPart(
                                        row.getString(1),
                                        new OperatorDecision(row.getString(2), row.getString(3)),
                                        SqlTimes.instantOf(row.getLong(4)))));
    }

    @Override
    public boolean pause(String scope, String part, OperatorDecision decision) {
        try {
            return audited(
                    "PAUSE",
                    scope,
                    part,
                    decision,
                    connection -> new SqlCall(PAUSE)
                            .set("scope", scope)
                            .set("part", part)
                            .set("actor", OperatorAuditLog.actor(decision, dialect()))
                            .set("reason", OperatorAuditLog.reason(decision, dialect()))
                            .update(connection));
        } catch (StoreException e) {
            if (e.reason() == StoreException.Reason.DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean resume(String scope, String part, OperatorDecision decision) {
        return audited(
                "RESUME",
                scope,
                part,
                decision,
                connection -> new SqlCall(RESUME)
                        .set("scope", scope)
                        .set("part", part)
                        .update(connection));
    }

    private interface Change {
        int on(Connection connection) throws SQLException;
    }

    private boolean audited(String action, String scope, String part, OperatorDecision decision, Change change) {
        Dialect known = dialect();
        return connections.transaction(action, TABLE, known, connection -> {
            if (change.on(connection) == 0) {
                return false;
            }
            new OperatorAuditLog(OperatorAuditLog.TABLE, known)
                    .write(
                            connection,
                            action,
                            decision,
                            List.of(new OperatorAuditLog.Entry(TABLE, null, part, scope, 0, null, part)));
            return true;
        });
    }

    private Dialect dialect() {
        Dialect known = dialect;
        if (known == null) {
            known = connections.borrow("look up", TABLE, (Connection connection) -> Dialect.of(connection));
            dialect = known;
        }
        return known;
    }
}
