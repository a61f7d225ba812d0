package dev.waybill.jdbc;

import dev.waybill.jdbc.JobTable.JobRow;
import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.store.JobStore;
import dev.waybill.store.OperatorDecision;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Jobs in the tables {@code waybill_job} and {@code waybill_job_item}; who began or canceled them in {@code waybill_audit}. */
public final class JdbcJobStore implements JobStore {

    private static final int ROWS_AT_ONCE = 1_000;

    private static final String CREATE = """
            INSERT INTO {jobs} (scope, kind, terms, per_second, actor, reason, state, total, done, refused, fence,
                lease_until, created_at, changed_at)
            VALUES (:scope, :kind, :terms, :rate, :actor, :reason, 'RUNNING', :total, 0, 0, 0, {now}, {now}, {now})""";

    private static final String ADD = "INSERT INTO {items} (job_id, item_no, subject, state) VALUES :rows";

    private static final String WAITING = """
            SELECT item_no, subject FROM {items}
            WHERE job_id = :id AND state = 'WAITING' AND item_no > :after ORDER BY item_no LIMIT :limit""";

    private static final String REFUSED = """
            SELECT item_no, subject, refusal FROM {items}
            WHERE job_id = :id AND state = 'REFUSED' AND item_no > :after ORDER BY item_no LIMIT :limit""";

    private static final String CANCEL =
            "UPDATE {jobs} SET state = 'CANCELED', changed_at = {now} WHERE id = :id AND state = 'RUNNING'";

    private static final String FIND = "SELECT {row} FROM {jobs} WHERE id = :id";

    private static final String LIST =
            "SELECT {row} FROM {jobs} WHERE scope = :scope AND id < :before ORDER BY id DESC LIMIT :limit";

    private static final String ENDED = """
            SELECT id, total FROM {jobs}
            WHERE state <> 'RUNNING' AND changed_at <= {then} ORDER BY id LIMIT :limit""";

    private static final String REMOVE_ITEMS = "DELETE FROM {items} WHERE job_id = :id AND item_no <= :last";

    private static final String REMOVE = "DELETE FROM {jobs} WHERE id = :id";

    private final SqlConnections connections;
    private final @Nullable RowArchive archive;
    private volatile @Nullable JobTable table;

    /** Connects to nothing yet. */
    public JdbcJobStore(DataSource dataSource) {
        this(dataSource, null);
    }

    /** Connects to nothing yet. What is swept of the audit goes to the archive first, where there is one. */
    public JdbcJobStore(DataSource dataSource, @Nullable RowArchive archive) {
        this.connections = new SqlConnections(dataSource);
        this.archive = archive;
    }

    /** Checks the tables, so that a mistake shows at start-up with the fix named. */
    public void verify() {
        table = null; // it may have been repaired since
        list("", 1, 1);
    }

    @Override
    public StoredJob create(NewJob job, List<String> subjects) {
        JobTable known = table();
        long id = connections.transaction("create", JobTable.JOBS, known.dialect(), connection -> {
            long made = insert(connection, known, job, subjects.size());
            addItems(connection, known, made, subjects);
            audit(connection, known, "BEGIN", made, job.kind(), job.decision(), subjects.size() + " subjects");
            return made;
        });
        return find(id).orElseThrow();
    }

    private static long insert(Connection connection, JobTable known, NewJob job, long total) throws SQLException {
        return new SqlCall(known.sql(CREATE))
                .set("scope", known.fitJob("scope", job.scope()))
                .set("kind", known.fitJob("kind", job.kind()))
                .set("terms", known.fitJob("terms", job.terms()))
                .set("rate", (long) job.perSecond())
                .set("actor", known.fitJob("actor", job.decision().actor()))
                .set("reason", known.fitJob("reason", job.decision().reason()))
                .set("total", total)
                .insert(connection, "id")
                .get(0);
    }

    private static void addItems(Connection connection, JobTable known, long id, List<String> subjects)
            throws SQLException {
        for (int from = 0; from < subjects.size(); from += ROWS_AT_ONCE) {
            List<String> some = subjects.subList(from, Math.min(subjects.size(), from + ROWS_AT_ONCE));
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                values.add(id);
                values.add((long) from + i + 1);
                values.add(some.get(i));
            }
            String rows = "(?, ?, ?, 'WAITING'), ".repeat(some.size() - 1) + "(?, ?, ?, 'WAITING')";
            new SqlCall(known.sql(ADD)).part("rows", rows, values).update(connection);
        }
    }

    private static void audit(
            Connection connection,
            JobTable known,
            String action,
            long id,
            String kind,
            OperatorDecision decision,
            String what)
            throws SQLException {
        known.audit()
                .write(
                        connection,
                        action,
                        decision,
                        List.of(new OperatorAuditLog.Entry(
                                JobTable.JOBS, null, Long.toString(id), kind, 0, null, what)));
    }

    @Override
    public Optional<ClaimedJob> claim(String scope, Set<String> kinds, Duration lease) {
        return claims().claim(scope, kinds, lease);
    }

    @Override
    public boolean settle(ClaimedJob claimed, List<SettledItem> items, Duration lease, @Nullable String note) {
        return claims().settle(claimed, items, lease, note);
    }

    @Override
    public boolean finish(ClaimedJob claimed) {
        return claims().finish(claimed);
    }

    @Override
    public void release(ClaimedJob claimed) {
        claims().release(claimed);
    }

    @Override
    public List<JobItem> waiting(long jobId, long afterNumber, int limit) {
        SqlCall waiting = ofItems(WAITING, jobId, afterNumber, limit);
        return once(
                "list", connection -> waiting.query(connection, row -> new JobItem(row.getLong(1), row.getString(2))));
    }

    @Override
    public List<RefusedItem> refused(long jobId, long afterNumber, int limit) {
        SqlCall refused = ofItems(REFUSED, jobId, afterNumber, limit);
        return once(
                "list",
                connection -> refused.query(
                        connection, row -> new RefusedItem(row.getLong(1), row.getString(2), row.getString(3))));
    }

    private SqlCall ofItems(String statement, long jobId, long afterNumber, int limit) {
        return new SqlCall(table().sql(statement))
                .set("id", jobId)
                .set("after", afterNumber)
                .set("limit", (long) limit);
    }

    @Override
    public boolean cancel(long id, OperatorDecision decision) {
        JobTable known = table();
        StoredJob job = find(id).orElse(null);
        if (job == null) {
            return false;
        }
        return connections.transaction("cancel", JobTable.JOBS, known.dialect(), connection -> {
            boolean canceled = new SqlCall(known.sql(CANCEL)).set("id", id).update(connection) == 1;
            if (canceled) {
                audit(connection, known, "CANCEL", id, job.asked().kind(), decision, "");
            }
            return canceled;
        });
    }

    @Override
    public Optional<StoredJob> find(long id) {
        return jobs(new SqlCall(table().sql(FIND)).set("id", id)).stream().findFirst();
    }

    @Override
    public List<StoredJob> list(String scope, long beforeId, int limit) {
        return jobs(new SqlCall(table().sql(LIST))
                .set("scope", table().fitJob("scope", scope))
                .set("before", beforeId)
                .set("limit", (long) limit));
    }

    private List<StoredJob> jobs(SqlCall call) {
        return once(
                "list",
                connection -> call.query(connection, row -> JobRow.read(row).job()));
    }

    @Override
    public int sweepEnded(Duration olderThan, int limit) {
        JobTable known = table();
        SqlCall look = new SqlCall(known.sql(ENDED))
                .set("age", -known.ticks(olderThan))
                .set("limit", (long) limit);
        List<Ended> ended =
                once("sweep", connection -> look.query(connection, row -> new Ended(row.getLong(1), row.getLong(2))));
        ended.forEach(job -> remove(known, job));
        return ended.size();
    }

    @Override
    public int sweepAudit(Duration olderThan, int limit) {
        return table().auditSweeper(connections, archive).sweep(JobTable.JOBS, olderThan, limit);
    }

    private record Ended(long id, long total) {}

    /** Its subjects in small chunks, and then itself: after a crash between them the next sweep goes on. */
    private void remove(JobTable known, Ended job) {
        for (long last = ROWS_AT_ONCE; last - ROWS_AT_ONCE < job.total(); last += ROWS_AT_ONCE) {
            SqlCall items =
                    new SqlCall(known.sql(REMOVE_ITEMS)).set("id", job.id()).set("last", last);
            once("sweep", items::update);
        }
        once("sweep", new SqlCall(known.sql(REMOVE)).set("id", job.id())::update);
    }

    private JobClaims claims() {
        return new JobClaims(table(), connections);
    }

    private <T> T once(String verb, SqlConnections.Work<T> work) {
        return connections.once(verb, JobTable.JOBS, table().dialect(), work);
    }

    private JobTable table() {
        JobTable known = table;
        if (known == null) {
            known = connections.borrow("look up", JobTable.JOBS, JobTable::open);
            table = known;
        }
        return known;
    }
}
