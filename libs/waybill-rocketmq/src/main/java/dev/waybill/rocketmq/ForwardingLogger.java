package dev.waybill.rocketmq;

import dev.waybill.message.LogText;
import java.util.regex.Pattern;
import org.apache.rocketmq.logging.org.slf4j.Marker;
import org.apache.rocketmq.logging.org.slf4j.event.Level;
import org.apache.rocketmq.logging.org.slf4j.helpers.LegacyAbstractLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** One logger of the client's private SLF4J, forwarded to the same name in the application's. Markers are dropped. */
final class ForwardingLogger extends LegacyAbstractLogger {

    private static final long serialVersionUID = 1L;

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final int LONGEST_SENTENCE = 60;

    /** Of all loggers together: the client has a handful of them. */
    private static final RepeatedLines REPEATED = new RepeatedLines();

    private final transient org.slf4j.Logger target;

    ForwardingLogger(String name) {
        this.name = name;
        this.target = LoggerFactory.getLogger(name);
    }

    @Override
    public boolean isTraceEnabled() {
        return target.isTraceEnabled();
    }

    @Override
    public boolean isDebugEnabled() {
        return target.isDebugEnabled();
    }

    @Override
    public boolean isInfoEnabled() {
        return target.isInfoEnabled();
    }

    @Override
    public boolean isWarnEnabled() {
        return target.isWarnEnabled();
    }

    @Override
    public boolean isErrorEnabled() {
        return target.isErrorEnabled();
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            @Nullable Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        org.slf4j.event.Level slf4j = org.slf4j.event.Level.valueOf(level.name());
        if (!target.isEnabledForLevel(slf4j)) {
            return;
        }
        long leftOut = isChatter(slf4j)
                ? REPEATED.count(name + ' ' + sentence(String.valueOf(message)), System.nanoTime())
                : 0;
        if (leftOut < 0) {
            return;
        }
        LoggingEventBuilder line = target.atLevel(slf4j);
        // The client writes whole messages into its lines, as they came.
        for (Object argument : arguments == null ? new Object[0] : arguments) {
            line = line.addArgument(LogText.sentence(String.valueOf(argument)));
        }
        (thrown == null ? line : line.setCause(LogText.thrown(thrown)))
                .log(LogText.sentence(message)
                        + (leftOut == 0 ? "" : " (" + leftOut + " more like this were left out)"));
    }

    /** Who asks for DEBUG wants to see everything. */
    private boolean isChatter(org.slf4j.event.Level level) {
        return level.toInt() >= org.slf4j.event.Level.INFO.toInt() && !target.isDebugEnabled();
    }

    /** The client puts some values into its texts itself; most of them have digits. */
    private static String sentence(String message) {
        int end = Math.min(message.length(), LONGEST_SENTENCE);
        return DIGITS.matcher(message.substring(0, end)).replaceAll("");
    }
}
