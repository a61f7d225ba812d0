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
final class ListenerCall implements EventHandler {

    private final Supplier<Object> bean;
    private final Method method;
    private final ListenerArguments arguments;

    ListenerCall(Supplier<Object> bean, Method method, ListenerArguments arguments) {
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

    /** What the method threw, such that the inbox takes it for the method's: a checked exception needs a cloak. */
    private static RuntimeException thrown(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException own) {
            return own;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt(); // the subscription stops: whoever waits next shall notice
        }
        return new ListenerFailedException(String.valueOf(cause), cause);
    }

    /** A failure that is no RuntimeException by itself. */
    @SuppressWarnings("OverrideThrowableToString") // the class name of a wrapper helps nobody
    private static final class ListenerFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ListenerFailedException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }

        /** The cause alone: that is what a person looks for in the table. */
        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}
