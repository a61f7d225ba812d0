package dev.waybill.guard.boot;

import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/**
 * Gets its beans at the first call. Spring makes advisors before all other beans, and a bean that an advisor needed at once
 * would be made too early to be proxied itself.
 */
final class LazyInterceptor implements MethodInterceptor {

    private final SingletonSupplier<MethodInterceptor> interceptor;

    LazyInterceptor(Supplier<MethodInterceptor> interceptor) {
        this.interceptor = SingletonSupplier.of(interceptor);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return interceptor.obtain().invoke(invocation);
    }
}
