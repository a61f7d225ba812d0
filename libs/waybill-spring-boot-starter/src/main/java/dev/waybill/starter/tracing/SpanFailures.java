package dev.waybill.starter.tracing;

import dev.waybill.message.LogText;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of an application's handlers and filters of observations that throw. Every event would meet them, so only the first is a warning. */
final class SpanFailures {

    private static final Logger log = LoggerFactory.getLogger(SpanFailures.class);

    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private SpanFailures() {}

    static void tell(RuntimeException failure) {
        if (!TOLD.getAndSet(true)) {
            log.warn(
                    "[Tracing] A span failed; events go on without, and later failures are told at DEBUG",
                    LogText.thrown(failure));
        } else if (log.isDebugEnabled()) {
            log.debug("[Tracing] A span failed", LogText.thrown(failure));
        }
    }
}
