package dev.waybill.rabbitmq;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What one class logs from now on, each entry with its level. */
final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;

    LoggedLines(Class<?> owner) {
        this.logger = (Logger) LoggerFactory.getLogger(owner);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getLevel() + " " + event.getFormattedMessage());
    }

    List<String> all() {
        return List.copyOf(lines);
    }

    long count(String part) {
        return lines.stream().filter(line -> line.contains(part)).count();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
