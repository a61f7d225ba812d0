package dev.waybill.jdbc;

import dev.waybill.store.JobStore.ClaimedJob;
import dev.waybill.store.JobStore.NewJob;
import dev.waybill.store.JobStore.SettledItem;
import dev.waybill.store.OperatorDecision;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Runs every verb of the job store once. */
final class GoldenJobSql {

    private static final OperatorDecision DECISION = new OperatorDecision("anna", "the handler is mended");
    private static final Duration LEASE = Duration.ofMinutes(1);

    private GoldenJobSql() {}

    static String of(GoldenDatabase database) {
        Ddl.applyJobs(database.dataSource());
        GoldenSql golden = database.record("The jobs");
        JdbcJobStore store = new JdbcJobStore(golden.dataSource());
        golden.section("verify", store::verify);
        golden.section(
                "create",
                () -> store.create(new NewJob("shop", "replay-letters", "", 50, DECISION), List.of("1", "2", "3")));
        Set<String> kinds = Set.of("replay-letters");
        ClaimedJob first = store.claim("shop", kinds, LEASE).orElseThrow();
        golden.section("release", () -> store.release(first));
        golden.section("claim", () -> store.claim("shop", kinds, LEASE));
        ClaimedJob claimed = new ClaimedJob(first.job(), first.fence() + 1);
        long id = first.job().id();
        golden.section("waiting", () -> store.waiting(id, 0, 50));
        golden.section(
                "settle",
                () -> store.settle(
                        claimed, List.of(new SettledItem(1, null), new SettledItem(2, "it is not open")), LEASE, null));
        golden.section("refused", () -> store.refused(id, 0, 50));
        golden.section("finish", () -> store.finish(claimed));
        golden.section("cancel", () -> store.cancel(id, DECISION));
        golden.section("find", () -> store.find(id));
        golden.section("list", () -> store.list("shop", Long.MAX_VALUE, 50));
        database.execute("UPDATE waybill_job SET changed_at = '2001-01-01 00:00:00'");
        golden.section("sweep: jobs that ended", () -> store.sweepEnded(Duration.ofDays(1), 10));
        database.execute("UPDATE waybill_audit SET decided_at = '2001-01-01 00:00:00'");
        golden.section("sweep: the audit", () -> store.sweepAudit(Duration.ofDays(1), 10));
        return golden.text();
    }
}
