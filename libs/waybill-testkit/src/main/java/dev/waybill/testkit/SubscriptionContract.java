package dev.waybill.testkit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every broker's subscriptions promise, as tests. An adapter's test is a subclass that makes a {@link
 * SubscriptionFixture}; it runs against the real broker. No adapter lacks a capability, and nothing is skipped.
 */
public abstract class SubscriptionContract
        implements SubscriptionReceiveRules,
                SubscriptionResultRules,
                SubscriptionDeadLetterRules,
                SubscriptionStartStopRules {

    private @Nullable SubscriptionHarness harness;

    /** Makes a fixture for one test. */
    protected abstract SubscriptionFixture freshFixture();

    @Override
    public final SubscriptionHarness harness() {
        return Objects.requireNonNull(harness);
    }

    @BeforeEach
    final void open() {
        harness = new SubscriptionHarness(freshFixture());
    }

    @AfterEach
    final void close() {
        harness().close();
    }
}
