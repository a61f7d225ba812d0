package dev.waybill.guard.boot;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpEntity;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * The media types in which a handler can answer, by its declared return type. The list is empty where only the handler knows:
 * it returns bytes, a stream, a view or just {@code Object}, or its mapping names the types and Spring has compared them.
 */
final class ProducibleTypes {

    private static final List<Class<?>> LAYERS =
            List.of(HttpEntity.class, CompletionStage.class, Callable.class, DeferredResult.class, WebAsyncTask.class);
    private static final List<Class<?>> KNOWN_TO_THE_HANDLER_ALONE =
            List.of(byte[].class, Resource.class, StreamingResponseBody.class, ResponseBodyEmitter.class, Void.class);

    private final Supplier<List<HttpMessageConverter<?>>> converters;
    private final Map<GuardedMethod, List<MediaType>> known = new ConcurrentHashMap<>();

    /** The converters are asked for at the first request: they are not there yet when interceptors are made. */
    ProducibleTypes(Supplier<List<HttpMessageConverter<?>>> converters) {
        this.converters = SingletonSupplier.of(converters);
    }

    List<MediaType> of(HandlerMethod handler) {
        return known.computeIfAbsent(
                new GuardedMethod(handler.getBeanType(), handler.getMethod()), method -> find(handler));
    }

    private List<MediaType> find(HandlerMethod handler) {
        if (namesTypes(handler)) {
            return List.of();
        }
        Class<?> declared = handler.getMethod().getReturnType();
        boolean writesBody = AnnotatedElementUtils.hasAnnotation(handler.getBeanType(), ResponseBody.class)
                || handler.hasMethodAnnotation(ResponseBody.class)
                || HttpEntity.class.isAssignableFrom(declared);
        Class<?> body = bodyOf(ResolvableType.forMethodReturnType(handler.getMethod(), handler.getBeanType()));
        if (!writesBody
                || body == Object.class
                || body == void.class
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(body) != null // a stream of events, perhaps
                || KNOWN_TO_THE_HANDLER_ALONE.stream().anyMatch(type -> type.isAssignableFrom(body))) {
            return List.of();
        }
        return converters.get().stream()
                .filter(converter -> isText(body) ? isJson(converter) : converter.canWrite(body, null))
                .flatMap(converter -> typesOf(converter, body))
                .distinct()
                .toList();
    }

    private static boolean namesTypes(HandlerMethod handler) {
        RequestMapping own = AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), RequestMapping.class);
        RequestMapping shared = AnnotatedElementUtils.findMergedAnnotation(handler.getBeanType(), RequestMapping.class);
        return own == null || own.produces().length > 0 || (shared != null && shared.produces().length > 0);
    }

    private static Class<?> bodyOf(ResolvableType type) {
        Class<?> declared = type.resolve(Object.class);
        for (Class<?> layer : LAYERS) {
            if (layer.isAssignableFrom(declared)) {
                return bodyOf(type.as(layer).getGeneric(0));
            }
        }
        return declared;
    }

    /** A text is wrapped like any other value, so it leaves as JSON. */
    private static boolean isText(Class<?> body) {
        return CharSequence.class.isAssignableFrom(body);
    }

    private static boolean isJson(HttpMessageConverter<?> converter) {
        return converter instanceof JacksonJsonHttpMessageConverter;
    }

    private static Stream<MediaType> typesOf(HttpMessageConverter<?> converter, Class<?> body) {
        return (isText(body) ? converter.getSupportedMediaTypes() : converter.getSupportedMediaTypes(body)).stream();
    }
}
