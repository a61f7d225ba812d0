package dev.waybill.servicetestkit;

import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells at which step between gate and database the inventory service is, from outside: by the calls of its stock gate and the
 * transaction around them.
 */
public final class InventorySteps implements BeanPostProcessor, MethodInterceptor {

    /** Where a crash must be harmless. */
    public enum Place {
        /** The gate holds the order's stock; nothing is written to the database. */
        GATE_RESERVED,
        /** Everything is written in the order's transaction, which has not committed. */
        DB_WRITTEN,
        /** The reservation is committed; the gate still holds the stock. */
        DB_COMMITTED,
        /** Gate and database agree about the order. */
        GATE_SETTLED,
        /** A release is committed; the gate has not been told. */
        RELEASE_COMMITTED,
        /** Received stock is committed; the gate has not been told. */
        RECEIPT_COMMITTED
    }

    private final Class<?> stockGate;
    private final Consumer<Place> reached;
    private final ThreadLocal<Boolean> reserving = ThreadLocal.withInitial(() -> false);

    public InventorySteps(Class<?> stockGate, Consumer<Place> reached) {
        this.stockGate = stockGate;
        this.reached = reached;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!stockGate.isInstance(bean)) {
            return bean;
        }
        ProxyFactory proxies = new ProxyFactory(bean);
        proxies.setProxyTargetClass(true);
        proxies.addAdvice(this);
        return proxies.getProxy();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        return switch (call.getMethod().getName()) {
            case "tryReserve" -> reserve(call);
            case "settle" -> settle(call);
            default -> call.proceed();
        };
    }

    private @Nullable Object reserve(MethodInvocation call) throws Throwable {
        Object result = call.proceed();
        if (result != null && result.getClass().getSimpleName().equals("Held")) {
            reserving.set(true);
            reached.accept(Place.GATE_RESERVED);
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    reached.accept(Place.DB_WRITTEN);
                }

                @Override
                public void afterCompletion(int status) {
                    reserving.remove();
                }
            });
        }
        return result;
    }

    private @Nullable Object settle(MethodInvocation call) throws Throwable {
        if ("".equals(call.getArguments()[0])) {
            reached.accept(Place.RECEIPT_COMMITTED);
        } else {
            reached.accept(reserving.get() ? Place.DB_COMMITTED : Place.RELEASE_COMMITTED);
        }
        Object result = call.proceed();
        reached.accept(Place.GATE_SETTLED);
        return result;
    }
}
