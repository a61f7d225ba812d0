package dev.waybill.memory;

import dev.waybill.memory.MemoryInboxRow.EventKey;
import dev.waybill.memory.MemoryInboxRow.State;
import dev.waybill.testkit.InboxFixture;
import dev.waybill.testkit.InboxStoreContract;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;

/** The consume log's contract on the store in memory. */
class InboxStoreContractTest {

    @Nested
    class Memory extends InboxStoreContract {
        Memory() {
            super(new Fixture());
        }
    }

    /** Each isolation is a process of its own. Rows are read when they are free, so both isolate alike. */
    private static final class Fixture implements InboxFixture {

        private final MemoryDatabase database = new MemoryDatabase(Clock.systemUTC());
        private final MemoryTable<Long, String> effects = new MemoryTable<>(database);
        private final Map<Isolation, InboxProcess> processes = new EnumMap<>(Isolation.class);

        Fixture() {
            for (Isolation isolation : Isolation.values()) {
                processes.put(isolation, newProcess());
            }
        }

        private InboxProcess newProcess() {
            MemoryTransactions transactions = new MemoryTransactions(database);
            return new InboxProcess(new MemoryInboxStore(transactions), transactions);
        }

        @Override
        public InboxProcess process(Isolation isolation) {
            return Objects.requireNonNull(processes.get(isolation));
        }

        /** The end of a process reaches its transactions as an error; a database notices the broken connection alike. */
        @Override
        public void dieAfter(Work work) {
            InboxProcess dying = newProcess();
            try {
                dying.transactions().inTransaction(() -> {
                    work.with(dying.store());
                    throw new ProcessEndedError();
                });
            } catch (ProcessEndedError e) {
                // nobody is left to do anything about it
            }
        }

        @Override
        public void effect(InboxProcess process, String name) {
            effects.write(database.nextId(), name, transactions(process).transaction());
        }

        @Override
        public List<String> effects() {
            return effects.readAll();
        }

        /** Each write of a row counts; reads cost nothing here. */
        @Override
        public long statements(InboxProcess process) {
            return transactions(process).transaction().steps();
        }

        @Override
        public String lockWait(InboxProcess process) {
            return transactions(process).transaction() == null ? "" : usualLockWait();
        }

        @Override
        public String usualLockWait() {
            return MemoryDatabase.LOCK_WAIT.toString();
        }

        private static MemoryTransactions transactions(InboxProcess process) {
            return (MemoryTransactions) process.transactions();
        }

        @Override
        public @Nullable StoredRow row(String eventId, String group) {
            MemoryInboxRow row = database.inbox.read(new EventKey(eventId, group));
            return row == null
                    ? null
                    : new StoredRow(
                            row.state().isDone(),
                            row.state().name(),
                            row.attempts(),
                            row.error(),
                            row.cost() != null,
                            row.toString());
        }

        @Override
        public void insertStale(String eventId, String group) {
            EventKey key = new EventKey(eventId, group);
            database.inbox.put(key, new MemoryInboxRow(key, State.PROCESSING, 0, null, null, database.now()));
        }

        @Override
        public void makeOld() {
            database.inbox
                    .readAll()
                    .forEach(row -> database.inbox.put(
                            row.key(),
                            new MemoryInboxRow(
                                    row.key(),
                                    row.state(),
                                    row.attempts(),
                                    row.error(),
                                    row.cost(),
                                    row.changedAt().minus(Duration.ofDays(1)))));
        }

        @Override
        public void clear() {
            database.inbox.clear();
            effects.clear();
        }

        @Override
        public Traits traits() {
            return new Traits(true, true, true, true, true, 2_000, 64);
        }

        @Override
        public void close() {}
    }

    private static final class ProcessEndedError extends Error {
        private static final long serialVersionUID = 1L;
    }
}
