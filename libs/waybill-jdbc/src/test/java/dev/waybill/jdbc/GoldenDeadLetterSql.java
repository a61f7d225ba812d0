package dev.waybill.jdbc;

import dev.waybill.message.DeadLetter;
import dev.waybill.store.DeadLetterStore.Filter;
import dev.waybill.store.DeadLetterStore.State;
import dev.waybill.store.DeadLetterStore.StoredLetter;
import dev.waybill.store.OperatorDecision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Runs every verb of the dead-letter store once. */
final class GoldenDeadLetterSql {

    private static final OperatorDecision DECISION = new OperatorDecision("anna", "the handler is mended");
    private static final byte[] BODY = "{}".getBytes(StandardCharsets.UTF_8);
    private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
    private static final Filter EVERYTHING_GIVEN =
            new Filter("ORDER_TOPIC", "stock", "OrderCreated", "timeout", FROM, FROM.plusSeconds(60), State.OPEN);

    private final GoldenDatabase database;
    private final GoldenSql golden;
    private final JdbcDeadLetterStore store;

    private GoldenDeadLetterSql(GoldenDatabase database, GoldenSql golden) {
        this.database = database;
        this.golden = golden;
        this.store = new JdbcDeadLetterStore(golden.dataSource());
    }

    static String of(GoldenDatabase database) {
        Ddl.applyDeadLetters(database.dataSource());
        GoldenSql golden = database.record("The dead letters");
        new GoldenDeadLetterSql(database, golden).everyVerb();
        return golden.text();
    }

    private void everyVerb() {
        golden.section("verify", store::verify);
        golden.section("save", () -> store.save(letter("1"), "event-1", "OrderCreated"));
        golden.section("save: a message that is no event", () -> store.save(letter("2"), null, null));
        List<Long> ids =
                store.list(Filter.any(), 10, 0).stream().map(StoredLetter::id).toList();
        golden.section("list", () -> store.list(Filter.any(), 10, 0));
        golden.section("list: with every filter", () -> store.list(EVERYTHING_GIVEN, 10, 0));
        golden.section("list: without headers and bodies", () -> store.summaries(Filter.any(), 10, 0));
        golden.section("count", () -> store.count(Filter.any()));
        golden.section("find", () -> store.find(ids.get(0)));
        golden.section("edit", () -> store.edit(ids.get(0), BODY, DECISION));
        golden.section("begin replay", () -> store.beginReplay(ids, DECISION));
        database.execute("UPDATE waybill_dead_letter SET changed_at = '2001-01-01 00:00:00'");
        golden.section("take over: replays that a dead process began", () -> store.takeOver(Duration.ofMinutes(1), 10));
        golden.section("replayed", () -> store.replayed(ids.get(0)));
        golden.section("put back", () -> store.putBack(ids.get(1)));
        golden.section("replay failed", () -> store.replayFailed(ids.get(1), "the broker is down"));
        golden.section("discard", () -> store.discard(List.of(ids.get(1)), DECISION));
        database.execute("UPDATE waybill_dead_letter SET changed_at = '2001-01-01 00:00:00'");
        golden.section("sweep: letters that are settled", () -> store.sweepSettled(Duration.ofDays(1), 10));
        database.execute("UPDATE waybill_audit SET decided_at = '2001-01-01 00:00:00'");
        golden.section("sweep: the audit", () -> store.sweepAudit(Duration.ofDays(1), 10));
    }

    private static DeadLetter letter(String key) {
        return new DeadLetter(key, "ORDER_TOPIC", "stock", "message-" + key, Map.of("tag", "created"), BODY, "timeout");
    }
}
