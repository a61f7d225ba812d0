package dev.waybill.guard.boot;

import dev.waybill.guard.web.Answer;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * What a handler declares to return, layer by layer: perhaps later ({@code CompletableFuture}, {@code Callable}), perhaps
 * with a status ({@code ResponseEntity}), perhaps already an {@code Answer}, and inside of it the data.
 */
record ReturnShape(Class<?> declared, @Nullable ReturnShape inner, ResolvableType data) {

    /** Answers that are not there as a whole when the handler returns, so they can't be kept for a repeat. */
    private static final Class<?>[] NOT_STORABLE = {
        StreamingResponseBody.class,
        ResponseBodyEmitter.class,
        DeferredResult.class,
        WebAsyncTask.class,
        Resource.class,
        BaseStream.class,
        java.io.InputStream.class,
        ModelAndView.class,
        View.class
    };

    private static final String REACTIVE = "org.reactivestreams.Publisher";

    static ReturnShape of(Method method, Class<?> owner) {
        return of(ResolvableType.forMethodReturnType(method, owner), method);
    }

    private static ReturnShape of(ResolvableType type, Method method) {
        Class<?> declared = type.resolve(Object.class);
        refuseNotStorable(declared, method);
        Class<?> layer = layerOf(declared);
        if (layer == null) {
            return new ReturnShape(declared, null, type);
        }
        ReturnShape inner = of(type.as(layer).getGeneric(0), method);
        return new ReturnShape(declared, inner, inner.data);
    }

    private static @Nullable Class<?> layerOf(Class<?> declared) {
        for (Class<?> layer : new Class<?>[] {CompletionStage.class, Callable.class, HttpEntity.class, Answer.class}) {
            if (layer.isAssignableFrom(declared)) {
                return layer;
            }
        }
        return null;
    }

    private static void refuseNotStorable(Class<?> declared, Method method) {
        for (Class<?> type : NOT_STORABLE) {
            if (type.isAssignableFrom(declared)) {
                throw refusal(declared, method);
            }
        }
        for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(declared)) {
            if (type.getName().equals(REACTIVE)) {
                throw refusal(declared, method);
            }
        }
    }

    private static IllegalStateException refusal(Class<?> declared, Method method) {
        return new IllegalStateException(
                "@Idempotent on " + method + ": a " + declared.getSimpleName()
                        + " can't be stored for a repeat; return the data itself, a ResponseEntity, a CompletableFuture or a Callable");
    }

    /**
     * A value of the declared type that the handler's proxy returns for a repeat; the body itself comes from {@link
     * RenderedData}.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the web layer takes it, as it would the handler's own
    @Nullable Object placeholder(int httpStatus) {
        if (HttpEntity.class.isAssignableFrom(declared)) {
            return ResponseEntity.status(httpStatus).build();
        }
        if (CompletionStage.class.isAssignableFrom(declared) && inner != null) {
            return CompletableFuture.completedFuture(inner.placeholder(httpStatus));
        }
        if (declared == Callable.class && inner != null) {
            ReturnShape later = inner;
            return (Callable<@Nullable Object>) () -> later.placeholder(httpStatus);
        }
        if (declared.isPrimitive() && declared != void.class) {
            return Array.get(Array.newInstance(declared, 1), 0);
        }
        return null;
    }
}
