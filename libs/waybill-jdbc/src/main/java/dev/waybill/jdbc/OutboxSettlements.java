package dev.waybill.jdbc;

import dev.waybill.store.Parcel;
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
final class OutboxSettlements {

    private static final String GUARD = "\nWHERE {rows} AND {fence} AND {stillClaimable}";

    private static final String SENT = """
            UPDATE {table} {byKey}
            SET {status} = {SENT}[, {sentAt} = {now}][, {due} = {sentDue}][, {brokerId} = {text}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private static final String RETRY = """
            UPDATE {table} {byKey}
            SET {status} = {RETRY}, {attempts} = {attempts} + 1, {due} = {delayEnd}[, {error} = {text}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private static final String BURY = """
            UPDATE {table} {byKey}
            SET {status} = {DEAD}, {attempts} = {attempts} + 1[, {due} = {deadDue}][, {error} = {text}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private static final String RELEASE = """
            UPDATE {table} {byKey}
            SET {due} = {delayEnd}[, {status} = {unclaimed}]
                [, {token} = NULL][, {version} = {version} + 1][, {updatedAt} = {now}] {from}""" + GUARD;

    private final OutboxTable table;
    private final RelaySessions sessions;
    private final HeldRows held;
    private final @Nullable AttemptLog attempts;
    private final KeyedUpdate sent;
    private final KeyedUpdate retry;
    private final KeyedUpdate bury;
    private final KeyedUpdate release;

    OutboxSettlements(OutboxTable table, RelaySessions sessions, HeldRows held) {
        this.table = table;
        this.sessions = sessions;
        this.held = held;
        this.attempts = table.has(OutboxColumn.ERROR) ? null : new AttemptLog(table);
        this.sent = KeyedUpdate.of(table, SENT);
        this.retry = KeyedUpdate.of(table, RETRY);
        this.bury = KeyedUpdate.of(table, BURY);
        this.release = KeyedUpdate.of(table, RELEASE);
    }

    int settle(List<Settlement> settlements) {
        try {
            return settle(settlements, text -> text);
        } catch (StoreException e) {
            if (e.reason() != StoreException.Reason.VALUE) {
                throw e;
            }
            return settle(settlements, ColumnText::plain); // an error text that the column's character set lacks
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
        RelaySessions.Work<Integer> work = connection -> {
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
        List<KeyedUpdate.Entry> sends = new ArrayList<>();
        List<KeyedUpdate.Entry> retries = new ArrayList<>();
        List<KeyedUpdate.Entry> deaths = new ArrayList<>();
        List<KeyedUpdate.Entry> releases = new ArrayList<>();
        for (Settlement settlement : settlements) {
            if (settlement instanceof Settlement.Sent it) {
                sends.add(entry(it.parcel(), Duration.ZERO, brokerId(it.brokerId())));
            } else if (settlement instanceof Settlement.Retry it) {
                retries.add(entry(it.parcel(), it.delay(), spelling.apply(error(it.error()))));
            } else if (settlement instanceof Settlement.Dead it) {
                deaths.add(entry(it.parcel(), Duration.ZERO, spelling.apply(error(it.error()))));
            } else if (settlement instanceof Settlement.Released it) {
                releases.add(entry(it.parcel(), it.delay(), null));
            }
        }
        return List.of(
                new Group(steps(sends, sent, false)),
                new Group(steps(retries, retry, true)),
                new Group(steps(deaths, bury, true)),
                new Group(steps(releases, release, false)));
    }

    private KeyedUpdate.Entry entry(Parcel parcel, Duration delay, @Nullable String text) {
        return new KeyedUpdate.Entry(parcel, table.times().ticks(delay), text);
    }

    private List<Step> steps(List<KeyedUpdate.Entry> entries, KeyedUpdate update, boolean failure) {
        AttemptLog log = failure ? attempts : null;
        Function<List<KeyedUpdate.Entry>, Step> step = log == null
                ? group -> connection -> update.run(connection, group)
                : group -> new LoggedStep(group, update, log, held);
        return FenceGroups.of(entries, entry -> entry.parcel().fence(), update.longest(entries)).stream()
                .map(step)
                .toList();
    }

    /** A failure whose error goes to another table: first find out which rows are still held, then write both. */
    private record LoggedStep(List<KeyedUpdate.Entry> group, KeyedUpdate update, AttemptLog log, HeldRows held)
            implements Step {

        @Override
        public boolean single() {
            return false;
        }

        @Override
        public int on(Connection connection) throws SQLException {
            List<KeyedUpdate.Entry> ours = held.lock(connection, group, KeyedUpdate.Entry::parcel);
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
                ? ColumnText.fit(text, table.shapeOf(OutboxColumn.ERROR), table.dialect())
                : AttemptLog.fit(text, table.dialect());
    }

    private @Nullable String brokerId(@Nullable String id) {
        return id == null || !table.has(OutboxColumn.BROKER_ID)
                ? null
                : ColumnText.fit(id, table.shapeOf(OutboxColumn.BROKER_ID), table.dialect());
    }
}
