package dev.waybill.guard.boot;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.Objects;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** One call of a guarded method: the user's own method, its class, and the HTTP exchange it belongs to, if any. */
record HandlerCall(
        Method method,
        Class<?> owner,
        @Nullable HttpServletRequest request,
        @Nullable HttpServletResponse response) {

    static HandlerCall of(MethodInvocation invocation) {
        Object target = Objects.requireNonNull(invocation.getThis(), "only instance methods are guarded");
        Class<?> owner = ClassUtils.getUserClass(target);
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), owner);
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes exchange
                ? new HandlerCall(method, owner, exchange.getRequest(), exchange.getResponse())
                : new HandlerCall(method, owner, null, null);
    }

    /** The handler's short name, which is used in Redis keys, metrics and settings. */
    static String nameOf(Class<?> owner, Method method) {
        return owner.getSimpleName() + "." + method.getName();
    }
}
