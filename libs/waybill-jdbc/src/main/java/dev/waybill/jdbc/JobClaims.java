package dev.waybill.jdbc;

import dev.waybill.jdbc.JobTable.JobRow;
import dev.waybill.store.JobStore.ClaimedJob;
import dev.waybill.store.JobStore.SettledItem;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a process writes while it works on a job; each statement says which claim it belongs to. */
final class JobClaims {

    private static final String FREE = """
            SELECT {row} FROM {jobs}
            WHERE state = 'RUNNING' AND lease_until <= {now} AND scope = :scope AND kind IN (:kinds)
            ORDER BY lease_until, id LIMIT 1""";

    private static final String CLAIM = """
            UPDATE {jobs} SET fence = fence + 1, lease_until = {leaseEnd}
            WHERE id = :id AND fence = :fence AND state = 'RUNNING'""";

    private static final String COUNT = """
            UPDATE {jobs}
            SET done = done + :done, refused = refused + :refused, note = :note, lease_until = {leaseEnd}, changed_at = {now}
            WHERE id = :id AND fence = :fence AND state = 'RUNNING'""";

    private static final String COUNT_CANCELED = """
            UPDATE {jobs} SET done = done + :done, refused = refused + :refused
            WHERE id = :id AND fence = :fence AND state = 'CANCELED'""";

    private static final String DONE = """
            UPDATE {items} SET state = 'DONE'
            WHERE job_id = :id AND item_no IN (:numbers) AND state = 'WAITING'""";

    private static final String REFUSED = """
            UPDATE {items} SET state = 'REFUSED', refusal = :refusal
            WHERE job_id = :id AND item_no = :number AND state = 'WAITING'""";

    private static final String FINISH = """
            UPDATE {jobs} SET state = 'FINISHED', note = NULL, changed_at = {now}
            WHERE id = :id AND fence = :fence AND state = 'RUNNING' AND done + refused = total""";

    private static final String RELEASE =
            "UPDATE {jobs} SET lease_until = {now} WHERE id = :id AND fence = :fence AND state = 'RUNNING'";

    private final JobTable table;
    private final SqlConnections connections;

    JobClaims(JobTable table, SqlConnections connections) {
        this.table = table;
        this.connections = connections;
    }

    /** The fence decides between two that saw the same row. */
    Optional<ClaimedJob> claim(String scope, Set<String> kinds, Duration lease) {
        if (kinds.isEmpty()) {
            return Optional.empty();
        }
        SqlCall look = new SqlCall(table.sql(FREE))
                .set("scope", table.fitJob("scope", scope))
                .list("kinds", List.copyOf(kinds));
        List<JobRow> free = connections.once(
                "claim", JobTable.JOBS, table.dialect(), connection -> look.query(connection, JobRow::read));
        if (free.isEmpty()) {
            return Optional.empty();
        }
        JobRow row = free.get(0);
        SqlCall claim = ofClaim(CLAIM, new ClaimedJob(row.job(), row.fence())).set("lease", table.ticks(lease));
        return connections.once("claim", JobTable.JOBS, table.dialect(), claim::update) == 1
                ? Optional.of(new ClaimedJob(row.job(), row.fence() + 1))
                : Optional.empty();
    }

    boolean settle(ClaimedJob claimed, List<SettledItem> items, Duration lease, @Nullable String note) {
        List<Long> done = items.stream()
                .filter(item -> item.refusal() == null)
                .map(SettledItem::number)
                .toList();
        SqlCall count = counting(COUNT, claimed, items.size(), done.size())
                .set("note", table.fitJob("note", note))
                .set("lease", table.ticks(lease));
        return connections.transaction("settle", JobTable.JOBS, table.dialect(), connection -> {
            boolean running = count.update(connection) == 1;
            if (!running
                    && (items.isEmpty()
                            || counting(COUNT_CANCELED, claimed, items.size(), done.size())
                                            .update(connection)
                                    == 0)) {
                return false;
            }
            if (!done.isEmpty()) {
                new SqlCall(table.sql(DONE))
                        .set("id", claimed.job().id())
                        .list("numbers", done)
                        .update(connection);
            }
            refuse(connection, claimed, items);
            return running;
        });
    }

    private SqlCall counting(String statement, ClaimedJob claimed, long items, long done) {
        return ofClaim(statement, claimed).set("done", done).set("refused", items - done);
    }

    private void refuse(Connection connection, ClaimedJob claimed, List<SettledItem> items) throws SQLException {
        for (SettledItem item : items) {
            if (item.refusal() == null) {
                continue;
            }
            new SqlCall(table.sql(REFUSED))
                    .set("id", claimed.job().id())
                    .set("number", item.number())
                    .set("refusal", table.fitItem("refusal", item.refusal()))
                    .update(connection);
        }
    }

    boolean finish(ClaimedJob claimed) {
        return once("finish", FINISH, claimed) == 1;
    }

    void release(ClaimedJob claimed) {
        once("release", RELEASE, claimed);
    }

    private int once(String verb, String statement, ClaimedJob claimed) {
        return connections.once(verb, JobTable.JOBS, table.dialect(), ofClaim(statement, claimed)::update);
    }

    private SqlCall ofClaim(String statement, ClaimedJob claimed) {
        return new SqlCall(table.sql(statement)).set("id", claimed.job().id()).set("fence", claimed.fence());
    }
}
