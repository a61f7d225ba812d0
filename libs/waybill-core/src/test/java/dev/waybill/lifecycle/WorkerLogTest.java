package dev.waybill.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class WorkerLogTest {

    @Test
    void whatAStepThrowsIsLoggedEscaped() throws InterruptedException {
        Logger logger = (Logger) LoggerFactory.getLogger(Worker.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        CountDownLatch second = new CountDownLatch(2);
        Worker worker = new Worker(
                "test-worker",
                () -> {
                    second.countDown();
                    throw new IllegalStateException("key 'a\n2026 [ALERT] forged'");
                },
                error -> {});
        try {
            worker.start();
            assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            worker.join(Duration.ofSeconds(5));
            logger.detachAppender(lines);
        }
        assertThat(lines.list.get(0).getThrowableProxy().getMessage())
                .contains("forged")
                .doesNotContain("\n");
    }
}
