package dev.waybill.jdbc;

import dev.waybill.jdbc.OutboxFenceGroups.Group;
import dev.waybill.store.Settlement;
import dev.waybill.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes settlements, one statement per kind and fence, each only into rows whose fence still holds. */
final class OutboxSettler {

    private static final String GUARD = "\nWHERE {rows} AND {fence} AND {stillClaimable}";

    private static final String SENT = """
            UPDATE {table} {byKey}
            SET {status} = {SENT}[, {sentAt} = {now}][, {due} = {sentDue}][, {brokerId} = {text}][, {error} = {noError}]
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
    private final SqlConnections connections;
    private final OutboxLeaseRenewer leases;
    private final @Nullable OutboxAttemptLog attempts;
    private final SqlKeyedUpdate sent;
    private final SqlKeyedUpdate retry;
    private final SqlKeyedUpdate markDead;
    private final SqlKeyedUpdate release;

    OutboxSettler(OutboxTable table, SqlConnections connections, OutboxLeaseRenewer leases, String node) {
        this.table = table;
        this.connections = connections;
        this.leases = leases;
        this.attempts = table.keepsAttempts() ? new OutboxAttemptLog(table, node) : null;
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
        Function<Settlement, @Nullable String> text = settlement -> text(settlement, spelling);
        List<Step> steps = new ArrayList<>();
        OutboxAttemptLog log = attempts;
        Function<UpdateStep, Step> logged =
                log == null ? step -> step : step -> new LoggedStep(step, log, spelling, leases);
        steps.addAll(steps(of(Settlement.Sent.class, settlements), sent, text, step -> step));
        steps.addAll(steps(of(Settlement.Retry.class, settlements), retry, text, logged));
        steps.addAll(steps(of(Settlement.Dead.class, settlements), markDead, text, logged));
        steps.addAll(steps(of(Settlement.Released.class, settlements), release, text, step -> step));
        if (steps.isEmpty()) {
            return 0;
        }
        SqlConnections.Work<Integer> work = connection -> {
            int written = 0;
            for (Step step : steps) {
                written += step.on(connection);
            }
            return written;
        };
        boolean single = steps.size() == 1 && steps.get(0).single();
        return single
                ? connections.once("settle", table.name(), table.dialect(), work)
                : connections.transaction("settle", table.name(), table.dialect(), work);
    }

    /** One statement's worth of work, or one with its entries in the attempt table. */
    private sealed interface Step {

        int on(Connection connection) throws SQLException;

        boolean single();
    }

    private static List<Settlement> of(Class<? extends Settlement> kind, List<Settlement> settlements) {
        return settlements.stream().filter(kind::isInstance).toList();
    }

    private static List<Step> steps(
            List<Settlement> settlements,
            SqlKeyedUpdate update,
            Function<Settlement, @Nullable String> text,
            Function<UpdateStep, Step> step) {
        int longest = update.longest(settlements, text);
        return OutboxFenceGroups.of(settlements, settlement -> settlement.row().fence(), longest).stream()
                .map(group -> step.apply(new UpdateStep(group, update, text)))
                .toList();
    }

    private record UpdateStep(
            Group<Settlement> group, SqlKeyedUpdate update, Function<Settlement, @Nullable String> text)
            implements Step {

        @Override
        public boolean single() {
            return true;
        }

        @Override
        public int on(Connection connection) throws SQLException {
            return update.run(connection, group, text);
        }

        UpdateStep only(List<Settlement> some) {
            return new UpdateStep(new Group<>(group.fence(), some), update, text);
        }
    }

    /** A failure that is written down in another table, too: first find out which rows are still claimed, then write both. */
    private record LoggedStep(
            UpdateStep step, OutboxAttemptLog log, UnaryOperator<String> spelling, OutboxLeaseRenewer leases)
            implements Step {

        @Override
        public boolean single() {
            return false;
        }

        @Override
        public int on(Connection connection) throws SQLException {
            List<Settlement> ours = leases.lock(connection, step.group(), Settlement::row);
            if (ours.isEmpty()) {
                return 0;
            }
            int written = step.only(ours).on(connection);
            log.write(connection, ours, spelling);
            return written;
        }
    }

    /** The text that goes into the row: the broker's id, or the error where there is a column for it. */
    private @Nullable String text(Settlement settlement, UnaryOperator<String> spelling) {
        if (settlement instanceof Settlement.Sent sent) {
            return brokerId(sent.brokerId());
        }
        String error = OutboxAttemptLog.error(settlement);
        return error == null || !table.has(OutboxColumn.ERROR)
                ? null
                : spelling.apply(SqlColumnText.fit(error, table.shapeOf(OutboxColumn.ERROR), table.dialect()));
    }

    private @Nullable String brokerId(@Nullable String id) {
        return id == null || !table.has(OutboxColumn.BROKER_ID)
                ? null
                : SqlColumnText.fit(id, table.shapeOf(OutboxColumn.BROKER_ID), table.dialect());
    }
}
