package dev.waybill.servicetestkit;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.GenericApplicationContext;

/** The points of the order service's work at which a crash, or another transaction that comes first, must be harmless. */
public enum OrderStep {
    /** Order, items, history and event are written; the transaction has not committed. */
    CREATE_WRITTEN("OrderTransitions", "create", false),
    /** The transaction that created the order has committed; the caller has no answer yet. */
    CREATE_COMMITTED("OrderService", "create", false),
    /** The order was read and may be canceled; nothing is written yet. */
    CANCEL_READ("OrderTransitions", "cancel", true),
    /** The order's cancel and its event are written; the transaction has not committed. */
    CANCEL_WRITTEN("OrderTransitions", "cancel", false),
    /** The cancel has committed; the caller has no answer yet. */
    CANCEL_COMMITTED("OrderService", "cancel", false),
    /** A stock event found an order whose status it may change; nothing is written yet. */
    STOCK_READ("OrderTransitions", "apply", true),
    /** The new status is written; the transaction has not committed. */
    STOCK_WRITTEN("OrderTransitions", "apply", false);

    private static final Pattern ORDER_NO = Pattern.compile("ORD[0-9]{21}");

    private final String className;
    private final String method;
    private final boolean before;

    OrderStep(String className, String method, boolean before) {
        this.className = className;
        this.method = method;
        this.before = before;
    }

    /** Calls the listener at every step, with the order's number. */
    public static void watch(GenericApplicationContext beans, BiConsumer<OrderStep, String> listener) {
        Stream.of(values())
                .filter(step -> !step.before)
                .forEach(step -> BeanAdvice.around(
                        beans, step.className, step.method, call -> aroundCall(step, call, listener)));
    }

    private static @Nullable Object aroundCall(
            OrderStep after, MethodInvocation call, BiConsumer<OrderStep, String> listener) throws Throwable {
        Stream.of(values())
                .filter(step -> step.before && step.isOf(after))
                .forEach(step -> listener.accept(step, orderNo(call.getArguments()[0])));
        Object result = call.proceed();
        boolean nothingDone = Boolean.FALSE.equals(result) || Optional.empty().equals(result);
        if (!nothingDone) {
            listener.accept(after, orderNo(result instanceof Boolean ? call.getArguments()[0] : result));
        }
        return result;
    }

    private boolean isOf(OrderStep other) {
        return className.equals(other.className) && method.equals(other.method);
    }

    private static String orderNo(@Nullable Object order) {
        Matcher number = ORDER_NO.matcher(String.valueOf(order));
        return number.find() ? number.group() : "";
    }
}
