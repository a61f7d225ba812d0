package dev.waybill.guard.running;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/** Everything that a running service writes to its log, as bytes, in the service's own pattern. Open it after the start. */
public final class CapturedLog implements AutoCloseable {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    private final Logger root;

    public CapturedLog(Service service) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern(service.bean(Environment.class).getRequiredProperty("logging.pattern.console"));
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(bytes);
        appender.start();
        root.addAppender(appender);
    }

    public String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    public List<String> lines() {
        return List.of(text().split("\n", -1));
    }

    /** Lines that a caller's mistake must not cause: those at level ERROR, and stack traces. */
    public List<String> faults() {
        return lines().stream()
                .filter(line -> line.contains(" ERROR ") || line.strip().startsWith("at "))
                .toList();
    }

    @Override
    public void close() {
        root.detachAppender(appender);
        appender.stop();
    }
}
