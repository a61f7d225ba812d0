package dev.waybill.starter.inbox;

import dev.waybill.inbox.EventHandler;
import dev.waybill.message.Event;
import dev.waybill.message.HandlerResult;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Handles an event by calling a bean's method through the bean's proxy. */
final class ListenerMethodHandler implements EventHandler {

    private final Supplier<Object> bean;
    private final Method method;
    private final ListenerArgumentResolver arguments;

    ListenerMethodHandler(Supplier<Object> bean, Method method, ListenerArgumentResolver arguments) {
        this.bean = bean;
        this.method = method;
        this.arguments = arguments;
        ReflectionUtils.makeAccessible(method);
    }

    @Override
    public HandlerResult handle(Event event) {
        Object answer = call(arguments.of(event));
        if (answer instanceof HandlerResult handled) {
            return handled;
        }
        if (method.getReturnType() == void.class) {
            return HandlerResult.DONE;
        }
        throw new ListenerFailedException(method.getName() + " returned null in place of a HandlerResult", null);
    }

    private @Nullable Object call(Object[] all) {
        try {
            return method.invoke(bean.get(), all);
        } catch (InvocationTargetException e) {
            throw thrown(e.getCause());
        } catch (IllegalAccessException e) {
            throw new ListenerFailedException(method + " cannot be called", e);
        }
    }

    /** The method's own exception. A checked one is wrapped, because the handler interface declares none. */
    private static RuntimeException thrown(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException own) {
            return own;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt(); // the subscription stops; the next wait ends at once
        }
        return new ListenerFailedException(String.valueOf(cause), cause);
    }

    /** Wraps a failure that is not a RuntimeException. */
    @SuppressWarnings("OverrideThrowableToString") // the wrapper's class name says nothing
    private static final class ListenerFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ListenerFailedException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }

        /** The cause's text alone, because it is written into the inbox table. */
        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}
