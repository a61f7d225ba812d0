package dev.waybill.starter.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Set;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Stands before every method of the admin API. The application's own login says who asks; here it is decided whether they may. It does
 * not rely on the application's rules by path, which may leave the path open.
 */
final class AdminAccess implements HandlerInterceptor {

    private static final Set<String> LOOKS = Set.of("GET", "HEAD", "OPTIONS");

    private final AdminRoles roles;
    private final CallCounter calls;

    AdminAccess(AdminRoles roles, CallCounter calls) {
        this.roles = roles;
        this.calls = calls;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod method
                && AnnotatedElementUtils.hasAnnotation(method.getBeanType(), AdminApi.class)) {
            boolean changes = !LOOKS.contains(request.getMethod());
            CrossSiteCheck.check(request, changes);
            admit(changes);
            KnownParameters.check(request, method);
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            response.setHeader("X-Content-Type-Options", "nosniff");
        }
        return true;
    }

    private void admit(boolean changes) {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        if (caller == null || !AdminRoles.isKnown(caller)) {
            throw new AdminRefusal(AdminError.UNAUTHENTICATED);
        }
        if (!(changes ? roles.mayDecide(caller) : roles.mayView(caller))) {
            throw new AdminRefusal(AdminError.FORBIDDEN);
        }
        calls.count(caller.getName()).ifPresent(seconds -> {
            throw new AdminRefusal(AdminError.TOO_MANY_CALLS).retryAfter(seconds);
        });
    }
}
