package dev.waybill.flows.hostile;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** Reads every log entry as the services would write it, and keeps those that no caller may cause. Open it after the start. */
final class WatchedLog extends UnsynchronizedAppenderBase<ILoggingEvent> implements AutoCloseable {

    private static final Pattern ENTRY = Pattern.compile(
            "\\d{4}-\\d\\d-\\d\\d [\\d:.]{12} \\[[^]]*] \\[[A-Za-z0-9._:-]*] (TRACE|DEBUG|INFO|WARN) .*");
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cntrl}\\x{80}-\\x{9f}\\x{2028}\\x{2029}]");
    private static final int MOST = 20;

    private final PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    private final Queue<String> findings = new ConcurrentLinkedQueue<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    /** @param pattern in which the services write their log */
    WatchedLog(String pattern) {
        LoggerContext context = root.getLoggerContext();
        encoder.setContext(context);
        encoder.setPattern(pattern);
        encoder.start();
        setContext(context);
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        String text = new String(encoder.encode(event), StandardCharsets.UTF_8).stripTrailing();
        if (!(ENTRY.matcher(text).matches() && !UNSEEN.matcher(text).find()) && findings.size() < MOST) {
            findings.add(text);
        }
    }

    /** Entries of more than one line, with a stack trace, at level ERROR, or with characters that nobody sees. */
    List<String> findings() {
        return List.copyOf(findings);
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
    }
}
