package dev.waybill.jdbc;

import dev.waybill.jdbc.archive.RowArchive;
import dev.waybill.message.Destination;
import dev.waybill.message.Event;
import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.EventFilter;
import dev.waybill.store.EventState;
import dev.waybill.store.Lease;
import dev.waybill.store.OperatorDecision;
import dev.waybill.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs every verb of the outbox store once. */
final class GoldenOutboxSql {

    private static final Lease LEASE = new Lease("relay-1", Duration.ofMinutes(5));
    private static final OperatorDecision DECISION = new OperatorDecision("anna", "the topic exists now");

    /** More than one transaction of a claim takes, so that the claim goes on where the first transaction ended. */
    private static final int TWO_STEPS = 501;

    private final GoldenDatabase database;
    private final OutboxMapping mapping;
    private final GoldenSql golden;
    private final JdbcTransactions transactions;
    private final JdbcOutboxStore store;

    private GoldenOutboxSql(GoldenDatabase database, OutboxMapping mapping, GoldenSql golden) {
        this.database = database;
        this.mapping = mapping;
        this.golden = golden;
        this.transactions = new JdbcTransactions(golden.dataSource());
        Ddl.apply(database.dataSource(), mapping);
        this.store = newStore();
        golden.unseen(store::verify);
    }

    private JdbcOutboxStore newStore() {
        return newStore(null);
    }

    private JdbcOutboxStore newStore(@Nullable RowArchive archive) {
        return JdbcOutboxStore.builder(golden.dataSource())
                .callerConnection(transactions)
                .mapping(mapping)
                .notifyRelays(true)
                .archive(archive)
                .build();
    }

    static String of(GoldenDatabase database) {
        GoldenSql golden = database.record("The outbox");
        new GoldenOutboxSql(database, OutboxLayouts.waybill(), golden).everyVerb();
        return golden.text();
    }

    /** The log of failed sends, which serves the layouts that have no column for errors. */
    static String attemptsOf(GoldenDatabase database) {
        GoldenSql golden = database.record("The log of failed sends (layouts without a column for errors)");
        new GoldenOutboxSql(database, OutboxLayouts.tOutboxEvent(), golden).failures();
        return golden.text();
    }

    private void everyVerb() {
        golden.section("verify", store::verify);
        golden.section("append: two events, with the lease of this process's relay", () -> append(LEASE, events(2)));
        golden.section(
                "append: an event without optional fields, for whichever relay comes first",
                () -> append(null, List.of(Event.builder("OrderCreated").build())));
        List<ClaimedEvent> appended = append(LEASE, events(2));
        golden.section("check: which appended rows have committed", () -> store.committed(appended));
        claims();
        golden.section("renew", renewal(claimed()));
        settlements();
        golden.section("backlog", store::backlog);
        deadRows();
        reads();
        sweeps();
    }

    private void claims() {
        due(2);
        Predicate<String> claims = sql -> !asksForFreshRows(sql);
        golden.section("claim", claims, () -> store.claim(LEASE, 10, Set.of()));
        due(2);
        golden.section(
                "claim: without the rows of a topic that is down",
                claims,
                () -> store.claim(LEASE, 10, Set.of("STOCK_TOPIC")));
        if (!database.is(Dialect.POSTGRESQL)) { // where one statement claims all
            due(TWO_STEPS);
            JdbcOutboxStore quiet = newStore(); // one that appends nothing and so takes no smaller steps
            AtomicInteger locks = new AtomicInteger();
            golden.section(
                    "claim: the second transaction of a large one",
                    claims.and(sql -> (sql.endsWith("SKIP LOCKED") ? locks.incrementAndGet() : locks.get()) > 1),
                    () -> quiet.claim(LEASE, TWO_STEPS, Set.of()));
            due(2);
            golden.section(
                    "claim: whether somebody appends beside it",
                    GoldenOutboxSql::asksForFreshRows,
                    () -> newStore().claim(LEASE, 10, Set.of()));
        }
    }

    /** A store that has just appended need not ask, so whether a claim does depends on the time. */
    private static boolean asksForFreshRows(String sql) {
        return sql.startsWith("SELECT COALESCE((");
    }

    private Runnable renewal(List<ClaimedEvent> claimed) {
        return () -> store.renew(LEASE, claimed);
    }

    private void settlements() {
        settle("settle: sent", claimed -> new Settlement.Sent(claimed, "broker-1"));
        settle("settle: sent, without an id of the broker's", claimed -> new Settlement.Sent(claimed, null));
        settle("settle: retry", claimed -> new Settlement.Retry(claimed, Duration.ofSeconds(5), "timeout"));
        settle("settle: dead", claimed -> new Settlement.Dead(claimed, "no such topic"));
        settle("settle: released", claimed -> new Settlement.Released(claimed, Duration.ZERO));
    }

    private void settle(String heading, Function<ClaimedEvent, Settlement> end) {
        List<Settlement> settlements = claimed().stream().map(end).toList();
        golden.section(heading, () -> store.settle(settlements));
    }

    private void deadRows() {
        List<String> dead = dead();
        golden.section("dead", () -> store.dead(10));
        golden.section("dead: without payloads, behind a key", () -> store.deadSummaries(10, dead.get(0)));
        golden.section("edit", () -> store.edit(dead.get(0), "{}", DECISION));
        golden.section("requeue", () -> store.requeue(dead, DECISION));
        List<String> deadAgain = dead();
        golden.section("discard", () -> store.discard(deadAgain, DECISION));
    }

    private void reads() {
        JdbcOutboxReader reader = new JdbcOutboxReader(golden.dataSource(), mapping, "waybill");
        golden.unseen(() -> {
            if (!database.is(Dialect.MYSQL)) { // 8.0.15 alters no table that has an expression as a default
                Ddl.applySearchIndexes(database.dataSource(), mapping);
            }
            reader.fields();
        });
        List<String> dead = dead();
        Instant day = Instant.parse("2026-01-02T00:00:00Z");
        golden.section("search: by id", () -> reader.search(EventFilter.any().withEventId(dead.get(0)), 10, null));
        golden.section("search: by key", () -> reader.search(EventFilter.any().withKey("order-42-0"), 10, null));
        golden.section(
                "search: by state, the second page",
                () -> reader.search(
                        EventFilter.any().withStates(Set.of(EventState.RETRY, EventState.DEAD)), 10, dead.get(1)));
        golden.section(
                "search: what no index leads to",
                () -> reader.search(
                        EventFilter.any().withTopic("ORDER_TOPIC").between(day, day.plusSeconds(60)), 10, null));
        golden.section("find", () -> reader.find(dead.get(0)));
        golden.section("attempts", () -> reader.attempts(dead.get(0), 10));
        golden.section("attempts: the latest", () -> reader.latestAttempts(10));
    }

    private void sweeps() {
        List<Settlement> sent = claimed().stream()
                .<Settlement>map(claimed -> new Settlement.Sent(claimed, null))
                .toList();
        golden.unseen(() -> {
            store.settle(sent);
            database.execute("UPDATE " + mapping.table() + " SET sent_at = '2001-01-01 00:00:00'");
            database.execute("UPDATE waybill_audit SET decided_at = '2001-01-01 00:00:00'");
        });
        golden.section("sweep: sent rows", () -> {
            store.sweepSettled(Duration.ofDays(1), 1);
            store.sweepSettled(Duration.ofDays(1), 10); // goes on where the first one stopped
        });
        golden.section("sweep: the audit", () -> store.sweepAudit(Duration.ofDays(1), 10));
        dead();
        golden.unseen(() -> database.execute("UPDATE " + mapping.table() + " SET created_at = '2001-01-01 00:00:00'"));
        golden.section("sweep: DEAD rows, by an age of their own", () -> store.sweepDead(Duration.ofDays(1), 10));
        List<Settlement> more = claimed().stream()
                .<Settlement>map(claimed -> new Settlement.Sent(claimed, null))
                .toList();
        golden.unseen(() -> {
            store.settle(more);
            database.execute("UPDATE " + mapping.table() + " SET sent_at = '2001-01-01 00:00:00'");
        });
        golden.section(
                "sweep: sent rows, into an archive", () -> newStore(rows -> {}).sweepSettled(Duration.ofDays(1), 10));
    }

    private void failures() {
        List<ClaimedEvent> claimed = claimed();
        golden.section(
                "settle: retry or dead",
                sql -> sql.contains(OutboxAttemptLog.TABLE),
                () -> store.settle(List.of(new Settlement.Dead(claimed.get(0), "no such topic"))));
        golden.section("dead", sql -> sql.contains(OutboxAttemptLog.TABLE), () -> store.dead(10));
        golden.unseen(() -> {
            store.discard(List.of(claimed.get(0).eventId()), DECISION);
            database.execute("UPDATE waybill_attempt SET failed_at = '2001-01-01 00:00:00'");
        });
        golden.section("sweep", () -> store.sweepAttempts(Duration.ofDays(1), 10));
    }

    private List<String> dead() {
        List<ClaimedEvent> claimed = claimed();
        golden.unseen(() -> store.settle(claimed.stream()
                .<Settlement>map(each -> new Settlement.Dead(each, "no such topic"))
                .toList()));
        return claimed.stream().map(ClaimedEvent::eventId).toList();
    }

    private List<ClaimedEvent> claimed() {
        due(2);
        List<ClaimedEvent> claimed = ClaimedRow.events(store.claim(LEASE, 10, Set.of()));
        if (claimed.size() != 2) {
            throw new IllegalStateException("claimed " + claimed.size() + " of 2 rows");
        }
        return claimed;
    }

    /** So many due rows and no others. */
    private void due(int rows) {
        golden.unseen(() -> {
            database.execute("DELETE FROM " + mapping.table());
            append(null, events(rows));
            database.execute("UPDATE " + mapping.table() + " SET " + mapping.column(OutboxColumn.DUE)
                    + " = '2001-01-01 00:00:00'");
        });
    }

    private List<ClaimedEvent> append(Lease lease, List<Event> events) {
        return transactions.inTransaction(() -> store.append(events, lease));
    }

    private static List<Event> events(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.builder("OrderCreated")
                        .aggregate("Order", "42")
                        .bizKey("order-42-" + i)
                        .traceId("trace-1")
                        .header("tenant", "north")
                        .payload("{}")
                        .destination(Destination.of("ORDER_TOPIC", "created"))
                        .build())
                .toList();
    }
}
