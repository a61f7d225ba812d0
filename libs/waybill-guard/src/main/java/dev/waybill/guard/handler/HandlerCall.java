package dev.waybill.guard.handler;

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
public record HandlerCall(
        Method method,
        Class<?> owner,
        @Nullable HttpServletRequest request,
        @Nullable HttpServletResponse response) {

    public static HandlerCall of(MethodInvocation invocation) {
        Object target = Objects.requireNonNull(invocation.getThis(), "guards stand in front of instance methods");
        Class<?> owner = ClassUtils.getUserClass(target);
        Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), owner);
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes exchange
                ? new HandlerCall(method, owner, exchange.getRequest(), exchange.getResponse())
                : new HandlerCall(method, owner, null, null);
    }

    /** The handler's short name, the one in Redis keys, metrics and settings. */
    public static String nameOf(Class<?> owner, Method method) {
        return owner.getSimpleName() + "." + method.getName();
    }
}
