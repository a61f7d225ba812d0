package dev.waybill.guard.trace;

import dev.waybill.message.TraceParent;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The trace of the work that this thread does now, mirrored in the MDC under {@value #MDC_KEY} and {@code traceparent}.
 *
 * <p>A scope puts back what it found, trace and whole MDC, so nothing that ran inside can leak into the next request on a
 * pooled thread. Threads don't inherit a trace: work for another thread is wrapped with {@link #carry(Runnable)}, or runs
 * on Boot's task executor, which does it by itself. Work that is passed on without wrapping logs no id; it never logs the
 * id of another request.
 */
public final class TraceContext {

    /** The MDC key that the log pattern shows. */
    public static final String MDC_KEY = "traceId";

    private static final ThreadLocal<@Nullable Trace> CURRENT = new ThreadLocal<>();

    private TraceContext() {}

    /** The trace of this thread's work, if it has one. */
    public static Optional<Trace> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Our id of this thread's work, or an empty text outside of any trace. */
    public static String traceId() {
        Trace trace = CURRENT.get();
        return trace == null ? "" : trace.traceId();
    }

    /** Starts working under {@code trace}; close the scope on the same thread. */
    public static Scope open(Trace trace) {
        Scope scope = new Scope(CURRENT.get(), MDC.getCopyOfContextMap());
        CURRENT.set(trace);
        MDC.put(MDC_KEY, trace.traceId());
        MDC.put(TraceParent.HEADER, trace.parent().header()); // an outbox takes it from here
        return scope;
    }

    /** The task, run under the trace of the thread that calls this method. */
    @SuppressWarnings("try") // the scope is there to be closed
    public static Runnable carry(Runnable task) {
        Trace trace = CURRENT.get();
        if (trace == null) {
            return task;
        }
        return () -> {
            try (Scope ignored = open(trace)) {
                task.run();
            }
        };
    }

    /** The task, run under the trace of the thread that calls this method. */
    @SuppressWarnings("try") // the scope is there to be closed
    public static <T> Callable<T> carry(Callable<T> task) {
        Trace trace = CURRENT.get();
        if (trace == null) {
            return task;
        }
        return () -> {
            try (Scope ignored = open(trace)) {
                return task.call();
            }
        };
    }

    /** Closing it gives the thread its former trace and MDC back. */
    public static final class Scope implements AutoCloseable {

        private final @Nullable Trace formerTrace;
        private final @Nullable Map<String, String> formerMdc;

        private Scope(@Nullable Trace formerTrace, @Nullable Map<String, String> formerMdc) {
            this.formerTrace = formerTrace;
            this.formerMdc = formerMdc;
        }

        @Override
        public void close() {
            if (formerTrace == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(formerTrace);
            }
            if (formerMdc == null || formerMdc.isEmpty()) {
                MDC.clear();
            } else {
                MDC.setContextMap(formerMdc);
            }
        }
    }
}
