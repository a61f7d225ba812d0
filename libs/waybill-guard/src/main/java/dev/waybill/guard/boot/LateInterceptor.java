package dev.waybill.guard.boot;

import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/** Fetches its beans at the first call: advisors are made before everything else and must not drag half the context along. */
final class LateInterceptor implements MethodInterceptor {

    private final SingletonSupplier<MethodInterceptor> interceptor;

    LateInterceptor(Supplier<MethodInterceptor> interceptor) {
        this.interceptor = SingletonSupplier.of(interceptor);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return interceptor.obtain().invoke(invocation);
    }
}
