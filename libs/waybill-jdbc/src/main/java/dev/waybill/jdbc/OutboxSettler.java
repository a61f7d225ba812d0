package dev.waybill.jdbc;

import dev.waybill.store.ClaimedEvent;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes outcomes, one statement per outcome and fence, each only into rows whose fence still holds. */
final class OutboxSettler {

    private static final String GUARD = "\nWHERE {rows} AND {fence} AND {stillClaimable}";

    private static final String SENT = """
            UPDATE {table} {byKey}
            SET {status} = {SENT}[, {sentAt} = {now}][, {due} = {sentDue}][, {brokerId} = {text}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private static final String RETRY = """
            UPDATE {table} {byKey}
            SET {status} = {RETRY}, {attempts} = {attempts} + 1, {due} = {delayEnd}[, {error} = {text}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private static final String MARK_DEAD = """
            UPDATE {table} {byKey}
            SET {status} = {DEAD}, {attempts} = {attempts} + 1[, {due} = {deadDue}][, {error} = {text}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private static final String RELEASE = """
            UPDATE {table} {byKey}
            SET {due} = {delayEnd}[, {status} = {unclaimed}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private final OutboxTable table;
    private final OutboxConnections sessions;
    private final OutboxLeaseRenewer held;
    private final @Nullable OutboxAttemptLog attempts;
    private final SqlKeyedUpdate sent;
    private final SqlKeyedUpdate retry;
    private final SqlKeyedUpdate markDead;
    private final SqlKeyedUpdate release;

    OutboxSettler(OutboxTable table, OutboxConnections sessions, OutboxLeaseRenewer held) {
        this.table = table;
        this.sessions = sessions;
        this.held = held;
        this.attempts = table.has(OutboxColumn.ERROR) ? null : new OutboxAttemptLog(table);
        this.sent = SqlKeyedUpdate.of(table, SENT);
        this.retry = SqlKeyedUpdate.of(table, RETRY);
        this.markDead = SqlKeyedUpdate.of(table, MARK_DEAD);
        this.release = SqlKeyedUpdate.of(table, RELEASE);
    }

    int settle(List<Settlement> settlements) {
        try {
            return settle(settlements, text -> text);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.VALUE) {
                throw e;
            }
            return settle(settlements, SqlColumnText::plain); // an error text that the column's character set lacks
        }
    }

    private int settle(List<Settlement> settlements, UnaryOperator<String> spelling) {
        List<Step> steps = new ArrayList<>();
        for (Group group : groups(settlements, spelling)) {
            steps.addAll(group.steps());
        }
        if (steps.isEmpty()) {
            return 0;
        }
        OutboxConnections.Work<Integer> work = connection -> {
            int written = 0;
            for (Step step : steps) {
                written += step.on(connection);
            }
            return written;
        };
        boolean single = steps.size() == 1 && steps.get(0).single();
        return single
                ? sessions.once("settle", table.name(), table.dialect(), work)
                : sessions.transaction("settle", table.name(), table.dialect(), work);
    }

    /** One statement's worth of work, or one with its entries in the attempt table. */
    private interface Step {

        int on(Connection connection) throws SQLException;

        default boolean single() {
            return true;
        }
    }

    private record Group(List<Step> steps) {}

    private List<Group> groups(List<Settlement> settlements, UnaryOperator<String> spelling) {
        List<SqlKeyedUpdate.Entry> sends = new ArrayList<>();
        List<SqlKeyedUpdate.Entry> retries = new ArrayList<>();
        List<SqlKeyedUpdate.Entry> deaths = new ArrayList<>();
        List<SqlKeyedUpdate.Entry> releases = new ArrayList<>();
        for (Settlement settlement : settlements) {
            if (settlement instanceof Settlement.Sent it) {
                sends.add(entry(it.claimed(), Duration.ZERO, brokerId(it.brokerId())));
            } else if (settlement instanceof Settlement.Retry it) {
                retries.add(entry(it.claimed(), it.delay(), spelling.apply(error(it.error()))));
            } else if (settlement instanceof Settlement.Dead it) {
                deaths.add(entry(it.claimed(), Duration.ZERO, spelling.apply(error(it.error()))));
            } else if (settlement instanceof Settlement.Released it) {
                releases.add(entry(it.claimed(), it.delay(), null));
            }
        }
        return List.of(
                new Group(steps(sends, sent, false)),
                new Group(steps(retries, retry, true)),
                new Group(steps(deaths, markDead, true)),
                new Group(steps(releases, release, false)));
    }

    private SqlKeyedUpdate.Entry entry(ClaimedEvent claimed, Duration delay, @Nullable String text) {
        return new SqlKeyedUpdate.Entry(claimed, table.times().ticks(delay), text);
    }

    private List<Step> steps(List<SqlKeyedUpdate.Entry> entries, SqlKeyedUpdate update, boolean failure) {
        OutboxAttemptLog log = failure ? attempts : null;
        Function<List<SqlKeyedUpdate.Entry>, Step> step = log == null
                ? group -> connection -> update.run(connection, group)
                : group -> new LoggedStep(group, update, log, held);
        return OutboxFenceGroups.of(entries, entry -> entry.claimed().fence(), update.longest(entries)).stream()
                .map(step)
                .toList();
    }

    /** A failure whose error goes to another table: first find out which rows are still held, then write both. */
    private record LoggedStep(
            List<SqlKeyedUpdate.Entry> group, SqlKeyedUpdate update, OutboxAttemptLog log, OutboxLeaseRenewer held)
            implements Step {

        @Override
        public boolean single() {
            return false;
        }

        @Override
        public int on(Connection connection) throws SQLException {
            List<SqlKeyedUpdate.Entry> ours = held.lock(connection, group, SqlKeyedUpdate.Entry::claimed);
            if (ours.isEmpty()) {
                return 0;
            }
            int written = update.run(connection, ours);
            log.write(connection, ours);
            return written;
        }
    }

    private String error(String text) {
        return table.has(OutboxColumn.ERROR)
                ? SqlColumnText.fit(text, table.shapeOf(OutboxColumn.ERROR), table.dialect())
                : OutboxAttemptLog.fit(text, table.dialect());
    }

    private @Nullable String brokerId(@Nullable String id) {
        return id == null || !table.has(OutboxColumn.BROKER_ID)
                ? null
                : SqlColumnText.fit(id, table.shapeOf(OutboxColumn.BROKER_ID), table.dialect());
    }
}
