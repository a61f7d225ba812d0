package dev.waybill.rabbitmq;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** What one class, or everybody, logs from now on, each entry with its level. */
final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Consumer<String> listener;

    LoggedLines(Class<?> owner) {
        this(owner, line -> {});
    }

    /** With something to do, on the thread that logs, before that thread goes on. */
    LoggedLines(Class<?> owner, Consumer<String> listener) {
        this(owner.getName(), listener);
    }

    private LoggedLines(String owner, Consumer<String> listener) {
        this.listener = listener;
        this.logger = (Logger) LoggerFactory.getLogger(owner);
        setContext(logger.getLoggerContext());
        start();
        logger.addAppender(this);
    }

    /** What everybody logs, the client too. */
    static LoggedLines ofEverybody() {
        return new LoggedLines(org.slf4j.Logger.ROOT_LOGGER_NAME, line -> {});
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getLevel() + " " + event.getFormattedMessage());
        listener.accept(event.getFormattedMessage());
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
