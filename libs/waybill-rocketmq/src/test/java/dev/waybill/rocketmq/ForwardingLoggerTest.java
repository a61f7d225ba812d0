package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ForwardingLoggerTest {

    @Test
    void whatTheClientCaughtForgesNoLogLine() {
        Logger target = (Logger) LoggerFactory.getLogger("RocketmqClient-" + UUID.randomUUID());
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        target.addAppender(lines);

        new ForwardingLogger(target.getName())
                .error("failed", new IllegalStateException("key\nforged", new IllegalArgumentException("a\rb")));

        assertThat(lines.list).singleElement().satisfies(line -> {
            assertThat(line.getThrowableProxy().getMessage()).contains("IllegalStateException: key\\u000aforged");
            assertThat(line.getThrowableProxy().getCause().getMessage())
                    .contains("IllegalArgumentException: a\\u000db");
        });
    }

    /** More than once, because all loggers count together: lines of an earlier run in the same minute must not matter. */
    @RepeatedTest(2)
    void whatTheClientRepeatsIsBoundedUnlessSomebodyAsksForAllOfIt() {
        Logger target = (Logger) LoggerFactory.getLogger("RocketmqRemoting-" + UUID.randomUUID());
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        target.addAppender(lines);
        ForwardingLogger logger = new ForwardingLogger(target.getName());

        target.setLevel(Level.INFO);
        for (int i = 0; i < 1_000; i++) {
            logger.warn("createChannel: connect remote host[127.0.0.1:" + i + "] failed, {}", "refused");
        }
        assertThat(lines.list).hasSize(RepeatedLines.PASS);
        target.setLevel(Level.DEBUG);
        logger.warn("createChannel: connect remote host[127.0.0.1:9] failed, {}", "refused");
        assertThat(lines.list).hasSize(RepeatedLines.PASS + 1);
    }
}
