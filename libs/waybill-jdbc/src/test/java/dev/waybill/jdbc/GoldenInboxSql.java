package dev.waybill.jdbc;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.store.Admission;
import java.time.Duration;

/** Runs every verb of the inbox store once. */
final class GoldenInboxSql {

    private static final String GROUP = "stock";
    private static final Event EVENT = event("event-1");
    private static final Event FAILING = event("event-2");
    private static final Duration COST = Duration.ofMillis(3);

    private final GoldenSql golden;
    private final JdbcTransactions transactions;
    private final JdbcInboxStore store;

    private GoldenInboxSql(GoldenSql golden) {
        this.golden = golden;
        this.transactions = new JdbcTransactions(golden.dataSource());
        this.store = JdbcInboxStore.builder(golden.dataSource())
                .callerConnection(transactions)
                .build();
    }

    static String of(GoldenDatabase database) {
        Ddl.apply(database.dataSource(), InboxLayouts.waybill());
        GoldenSql golden = database.record("The inbox");
        new GoldenInboxSql(golden).everyVerb();
        return golden.text();
    }

    private void everyVerb() {
        golden.section("verify", () -> store.verify(GROUP));
        golden.section("admit: a new event", () -> admit(EVENT));
        golden.section("settle: success", () -> settle(EVENT, HandlerResult.DONE));
        golden.section("admit: an event that is done", () -> admit(EVENT));
        golden.section("fail: for the first time", () -> store.fail(FAILING, GROUP, "no stock"));
        golden.section("fail: again", () -> store.fail(FAILING, GROUP, "no stock"));
        golden.section("last error", () -> store.lastError(FAILING.eventId(), GROUP));
        golden.section("admit: an event that failed before", () -> admit(FAILING));
        golden.section("settle: ignored", () -> settle(FAILING, HandlerResult.ignored("too old")));
        store.fail(event("event-3"), GROUP, "no stock");
        golden.section("sweep: events that failed", () -> store.sweepFailed(Duration.ofMinutes(-1), 10));
        golden.section("sweep", () -> store.sweep(Duration.ofMinutes(-1), 10)); // also what was done just now
    }

    private Admission admit(Event event) {
        return transactions.inTransaction(() -> store.admit(event, GROUP));
    }

    private void settle(Event event, HandlerResult result) {
        transactions.inTransaction(() -> {
            store.settle(event, GROUP, new Admission.Admitted(event.eventId(), 0), result, COST);
            return result;
        });
    }

    private static Event event(String id) {
        return Event.builder("OrderCreated").eventId(id).traceId("trace-1").build();
    }
}
