package dev.waybill.testkit;

import dev.waybill.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every transport promises, as tests. An adapter's test is a subclass that makes a {@link TransportFixture}; it runs
 * against the real broker. Nothing is skipped: where a broker lacks a capability, the alternative is asserted.
 */
public abstract class TransportContract
        implements TransportSendRules, TransportFailureRules, TransportStartStopRules, TransportOutageRules {

    private @Nullable TransportFixture fixture;
    private final List<Transport> transports = new ArrayList<>();

    /** Makes a fixture for one test. */
    protected abstract TransportFixture freshFixture();

    @Override
    public final TransportFixture fixture() {
        return Objects.requireNonNull(fixture);
    }

    @Override
    public final Transport transport(Duration sendTimeout) {
        Transport transport = fixture().transport(sendTimeout);
        transports.add(transport);
        return transport;
    }

    @BeforeEach
    final void open() {
        fixture = freshFixture();
    }

    @AfterEach
    final void close() {
        transports.forEach(Transport::close);
        fixture().close();
    }
}
