package dev.waybill.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class BrokerWatchTest {

    @Test
    void whatEndsTheWatchForgesNoLogLine() {
        List<ILoggingEvent> lines = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent line) {
                lines.add(line);
            }
        };
        Logger logger = (Logger) LoggerFactory.getLogger(BrokerWatch.class);
        appender.start();
        logger.addAppender(appender);
        BrokerWatch watch = new BrokerWatch(new Broken(), "test", "nowhere", Duration.ofMinutes(1));
        try {
            watch.start();
            await().dontCatchUncaughtExceptions().until(() -> !lines.isEmpty());
        } finally {
            watch.stop();
            logger.detachAppender(appender);
        }
        assertThat(lines.get(0).getThrowableProxy().getMessage())
                .contains("answer\\u000aforged")
                .doesNotContain("\n");
    }

    /** A client that meets an Error, as with a jar too old for it. */
    private static final class Broken extends DefaultMQProducer {
        @Override
        public List<MessageQueue> fetchPublishMessageQueues(String topic) {
            throw new NoSuchMethodError("answer\nforged");
        }
    }
}
