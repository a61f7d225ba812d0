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
        implements ReceiveRules, HandlerResultRules, DeadLetterRules, StartStopRules {

    private @Nullable SubscriptionHarness stage;

    /** Makes a fixture for one test. */
    protected abstract SubscriptionFixture freshFixture();

    @Override
    public final SubscriptionHarness stage() {
        return Objects.requireNonNull(stage);
    }

    @BeforeEach
    final void open() {
        stage = new SubscriptionHarness(freshFixture());
    }

    @AfterEach
    final void close() {
        stage().close();
    }
}
