package dev.waybill.guard.boot;

import dev.waybill.guard.trace.Trace;
import dev.waybill.guard.trace.TraceContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/**
 * Passes the trace on when a handler's work moves to another thread: as a decorator of Boot's task executor, and around
 * {@code Callable} handlers whatever executor runs them.
 */
final class TracePropagator implements TaskDecorator, CallableProcessingInterceptor {

    /**
     * Not a request attribute: a request that timed out is recycled before its task ends, and the task's thread must still
     * be cleaned.
     */
    private static final ThreadLocal<TraceContext.@Nullable Scope> OPEN = new ThreadLocal<>();

    @Override
    public Runnable decorate(Runnable task) {
        return TraceContext.carry(task);
    }

    @Override
    public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
        HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
        Trace trace = servletRequest == null ? null : TraceFilter.traceOf(servletRequest);
        if (trace != null) {
            OPEN.set(TraceContext.open(trace));
        }
    }

    @Override
    public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object concurrentResult) {
        TraceContext.Scope scope = OPEN.get();
        if (scope != null) {
            OPEN.remove();
            scope.close();
        }
    }
}
