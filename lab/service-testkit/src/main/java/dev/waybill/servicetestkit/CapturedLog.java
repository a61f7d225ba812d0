package dev.waybill.servicetestkit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/**
 * Everything that is logged from now on: level, trace id, text and the exception's message in one line. A service that starts
 * meanwhile sets up the logging anew and ends the capture; use Spring's {@code OutputCaptureExtension} there.
 */
public final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    public CapturedLog() {
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        String thrown = event.getThrowableProxy() == null
                ? ""
                : " " + event.getThrowableProxy().getMessage();
        lines.add(event.getLevel() + " [" + event.getMDCPropertyMap().getOrDefault("traceId", "") + "] "
                + event.getFormattedMessage() + thrown);
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
    }
}
