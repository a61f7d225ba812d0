package dev.waybill.testkit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * What every {@code OutboxStore} promises, verb by verb. A subclass gives a fixture and nothing else; one fixture serves
 * the whole class, its table is emptied before each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class OutboxStoreContract
        implements OutboxAppendRules,
                OutboxContentRules,
                OutboxClaimRules,
                OutboxLeaseRules,
                OutboxSettleRules,
                OutboxDeadRowRules,
                OutboxReadRules,
                OutboxSweepRules {

    private final OutboxFixture fixture;

    protected OutboxStoreContract(OutboxFixture fixture) {
        this.fixture = fixture;
    }

    @Override
    public final OutboxFixture fixture() {
        return fixture;
    }

    @BeforeEach
    final void emptyTheTable() {
        fixture.clear();
    }

    @AfterAll
    final void close() {
        fixture.close();
    }
}
