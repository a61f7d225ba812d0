package dev.waybill.memory;

import dev.waybill.memory.MemoryOutboxRow.State;
import dev.waybill.store.AuditReader;
import dev.waybill.store.ClaimedRow;
import dev.waybill.store.OutboxReader;
import dev.waybill.store.OutboxStore;
import dev.waybill.testkit.OutboxFixture;
import dev.waybill.testkit.OutboxStoreContract;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** The outbox store's contract on the store in memory. */
class OutboxStoreContractTest {

    @Nested
    class Memory extends OutboxStoreContract {
        Memory() {
            super(new Fixture());
        }
    }

    private static final class Fixture implements OutboxFixture {

        private final MemoryDatabase database = new MemoryDatabase(Clock.systemUTC());
        private final MemoryTransactions transactions = new MemoryTransactions(database);
        private final OutboxStore store = new MemoryOutboxStore(transactions);
        private final OutboxStore other = new MemoryOutboxStore(new MemoryTransactions(database));

        @Override
        public OutboxStore store() {
            return store;
        }

        @Override
        public OutboxStore otherStore() {
            return other;
        }

        @Override
        public OutboxStore storeThatPauses(Runnable beforeCommit) {
            return new MemoryOutboxStore(new MemoryTransactions(database), beforeCommit);
        }

        @Override
        public OutboxReader reader() {
            return new MemoryOutboxReader(transactions);
        }

        @Override
        public AuditReader auditReader() {
            return new MemoryOutboxReader(transactions);
        }

        @Override
        public <T> T inTransaction(Supplier<T> work) {
            return transactions.inTransaction(work);
        }

        @Override
        public void clear() {
            database.outbox.clear();
            database.outboxIds.clear();
            database.audit.clear();
            database.attempts.clear();
        }

        @Override
        public void makeDue() {
            database.outbox.readAll().stream()
                    .filter(row -> row.state().waits())
                    .forEach(row ->
                            database.outbox.put(row.id(), row.dueAt(row.due().minus(Duration.ofHours(1)))));
        }

        @Override
        public void makeOld() {
            database.outbox
                    .readAll()
                    .forEach(row -> database.outbox.put(
                            row.id(),
                            new MemoryOutboxRow(
                                    row.id(),
                                    row.eventId(),
                                    row.envelope(),
                                    row.destination(),
                                    row.state(),
                                    row.attempts(),
                                    row.state() == MemoryOutboxRow.State.DEAD
                                            ? row.due().minus(Duration.ofDays(1))
                                            : row.due(),
                                    row.fence(),
                                    row.error(),
                                    row.brokerId(),
                                    row.sentAt() == null ? null : row.sentAt().minus(Duration.ofDays(1)))));
            OldAudit.makeOld(database);
            OldAudit.makeAttemptsOld(database);
        }

        @Override
        public int attemptRecords() {
            return database.attempts.readAll().size();
        }

        @Override
        public void removeDue() {
            throw new UnsupportedOperationException("every row has a due time");
        }

        @Override
        public @Nullable StoredRow row(ClaimedRow claimed) {
            MemoryOutboxRow row = database.outbox.read(Long.valueOf(claimed.rowKey()));
            return row == null
                    ? null
                    : new StoredRow(
                            rowState(row.state()),
                            row.attempts(),
                            row.error(),
                            row.brokerId(),
                            row.sentAt() != null,
                            Duration.between(database.now(), row.due()),
                            row.toString());
        }

        private static RowState rowState(State state) {
            return switch (state) {
                case FRESH -> RowState.WAITING;
                case RETRYING -> RowState.RETRYING;
                case SENT -> RowState.SENT;
                case DEAD -> RowState.DEAD;
            };
        }

        @Override
        public ForeignRow insertForeign(int number) {
            ForeignRow foreign = new ForeignRow("OrderCreated", "{\"foreign\": " + number + "}");
            String id = "foreign-" + number;
            new MemoryOutboxStore(transactions)
                    .insert(
                            id,
                            "{\"eventId\":\"" + id + "\",\"eventType\":\"" + foreign.type() + "\",\"occurredAt\":\""
                                    + Instant.now() + "\",\"payload\":" + foreign.payload() + "}",
                            null);
            return foreign;
        }

        @Override
        public void insertUnreadable() {
            new MemoryOutboxStore(transactions).insert("unreadable-1", "{broken", null);
        }

        @Override
        public List<String> audit() {
            return transactions.audit().stream()
                    .map(record -> String.join(
                            " ",
                            record.action(),
                            record.decision().actor(),
                            record.decision().reason(),
                            record.eventId()))
                    .toList();
        }

        @Override
        public Traits traits() {
            return new Traits(true, false, true, true, 2_000, true, false, true, false, false);
        }

        @Override
        public void close() {}
    }
}
