package dev.waybill.testkit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * What every {@code DeadLetterStore} promises. A subclass gives a fixture and nothing else; one fixture serves the whole
 * class, its tables are emptied before each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DeadLetterStoreContract
        implements DeadLetterSaveRules, DeadLetterOperatorRules, DeadLetterSweepRules {

    private final DeadLetterFixture fixture;

    protected DeadLetterStoreContract(DeadLetterFixture fixture) {
        this.fixture = fixture;
    }

    @Override
    public final DeadLetterFixture fixture() {
        return fixture;
    }

    @BeforeEach
    final void emptyTheTables() {
        fixture.clear();
    }

    @AfterAll
    final void close() {
        fixture.close();
    }
}
