package dev.waybill.guard.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.guard.boot.StoreUnavailableException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class StoreAvailabilityTest {

    private final AtomicLong nanos = new AtomicLong();
    private final List<String> counted = new ArrayList<>();
    private final StoreAvailability availability = new StoreAvailability(
            "idempotent",
            (metric, subject, outcome) -> counted.add(metric.text() + " " + subject + " " + outcome),
            nanos::get);

    private void fail() {
        availability.down(new StoreUnavailableException(Reason.TIMED_OUT, null), "order:create", "FALL_THROUGH");
    }

    private final Logger logger = (Logger) LoggerFactory.getLogger(StoreAvailability.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
    }

    private long lines(String text) {
        return log.list.stream()
                .filter(line -> line.getFormattedMessage().contains(text))
                .count();
    }

    @Test
    void anOutageIsTwoLinesAndEveryFallbackIsCounted() {
        for (int i = 0; i < 50; i++) {
            fail();
        }
        nanos.addAndGet(StoreAvailability.QUIET.toNanos());
        fail();
        availability.up();
        availability.up();
        assertThat(lines("[Guard] store down guard=idempotent reason=TIMED_OUT first=order:create then=FALL_THROUGH"))
                .isOne();
        assertThat(lines("[Guard] store back guard=idempotent afterMillis=10000 fallbacks=51"))
                .isOne();
        assertThat(counted).hasSize(51).containsOnly("waybill.guard.store.fallbacks idempotent timed_out");
    }

    @Test
    void aStoreThatComesAndGoesIsToldOfNowAndThen() {
        for (int i = 0; i < 100; i++) {
            fail();
            availability.up();
        }
        assertThat(lines("store down")).isOne();
        assertThat(lines("store back")).isOne();
        nanos.addAndGet(StoreAvailability.QUIET.toNanos());
        fail();
        assertThat(lines("store down")).isEqualTo(2);
    }
}
