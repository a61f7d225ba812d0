package dev.waybill.starter.inbox;

import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import dev.waybill.message.MalformedEventException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Resolves the arguments of a listener method: the payload, the event, or both, in the method's own order. */
final class ListenerArgumentResolver {

    private final Type[] types;
    private final @Nullable PayloadReader payloads;

    private ListenerArgumentResolver(Type[] types, @Nullable PayloadReader payloads) {
        this.types = types;
        this.payloads = payloads;
    }

    /** Arguments for this method; a reader is needed only where the payload is more than text. */
    static ListenerArgumentResolver of(ListenerMethod listener, @Nullable PayloadReader payloads) {
        Type[] types = listener.method().getGenericParameterTypes();
        if (payloads == null && !Arrays.stream(types).allMatch(type -> type == Event.class || type == String.class)) {
            throw listener.refused(
                    "nothing can read its payload",
                    "Add org.springframework.boot:spring-boot-starter-jackson, take the payload as a String, or define"
                            + " a PayloadReader bean.");
        }
        return new ListenerArgumentResolver(types, payloads);
    }

    static void check(String bean, Method method) {
        Class<?>[] types = method.getParameterTypes();
        long events = Arrays.stream(types).filter(type -> type == Event.class).count();
        if (types.length == 0 || events > 1 || types.length - events > 1) {
            throw ListenerMethod.refused(
                    bean,
                    method,
                    "it takes " + Arrays.toString(types),
                    "Let it take the payload, the dev.waybill.message.Event, or one of each.",
                    null);
        }
        Class<?> returned = method.getReturnType();
        if (returned != void.class && !HandlerResult.class.isAssignableFrom(returned)) {
            throw ListenerMethod.refused(
                    bean,
                    method,
                    "it returns " + returned.getName() + ", which would be ignored",
                    "Let it return nothing, or a dev.waybill.message.HandlerResult.",
                    null);
        }
    }

    Object[] of(Event event) {
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = types[i] == Event.class ? event : payload(event, types[i]);
        }
        return arguments;
    }

    private Object payload(Event event, Type type) {
        if (type == String.class || payloads == null) {
            return event.payload();
        }
        Object payload = payloads.read(event.payload(), type);
        if (payload == null) {
            throw new MalformedEventException("the payload is null where a " + type.getTypeName() + " belongs", null);
        }
        return payload;
    }
}
