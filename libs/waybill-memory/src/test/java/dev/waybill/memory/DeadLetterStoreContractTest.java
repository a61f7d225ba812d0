package dev.waybill.memory;

import dev.waybill.store.DeadLetterStore;
import dev.waybill.testkit.DeadLetterFixture;
import dev.waybill.testkit.DeadLetterStoreContract;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Nested;

/** The contract of stored dead letters on the store in memory. */
class DeadLetterStoreContractTest {

    @Nested
    class Memory extends DeadLetterStoreContract {
        Memory() {
            super(new Fixture());
        }
    }

    private static final class Fixture implements DeadLetterFixture {

        private final MemoryDatabase database = new MemoryDatabase(Clock.systemUTC());
        private final MemoryTransactions transactions = new MemoryTransactions(database);
        private final DeadLetterStore store = new MemoryDeadLetterStore(transactions);

        @Override
        public DeadLetterStore store() {
            return store;
        }

        @Override
        public DeadLetterStore restarted() {
            return new MemoryDeadLetterStore(new MemoryTransactions(database));
        }

        @Override
        public List<String> audit() {
            return transactions.audit().stream()
                    .map(record -> record.action() + " " + record.decision().actor() + " "
                            + record.decision().reason() + " " + record.letterId() + " " + record.eventId() + " "
                            + Objects.requireNonNullElse(record.content(), ""))
                    .toList();
        }

        @Override
        public void makeOld() {
            database.letters
                    .readAll()
                    .forEach(row -> database.letters.put(
                            row.stored().id(),
                            new MemoryLetterRow(row.stored(), row.changedAt().minus(Duration.ofDays(1)))));
            OldAudit.makeOld(database);
        }

        @Override
        public void clear() {
            database.letters.clear();
            database.letterIds.clear();
            database.audit.clear();
        }

        @Override
        public void close() {}
    }
}
