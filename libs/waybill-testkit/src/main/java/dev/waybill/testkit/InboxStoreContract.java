package dev.waybill.testkit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * What every {@code InboxStore} promises, verb by verb. A subclass gives a fixture and nothing else; one fixture serves
 * the whole class, its table is emptied before each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class InboxStoreContract implements InboxAdmitRules, InboxFailRules, InboxRaceRules, InboxSweepRules {

    private final InboxFixture fixture;

    protected InboxStoreContract(InboxFixture fixture) {
        this.fixture = fixture;
    }

    @Override
    public final InboxFixture fixture() {
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
