package dev.waybill.guard.boot;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.http.HttpStatus;

/** What the guards know of Spring Security, by name: a service may do without it. */
final class SpringSecurity {

    /** The bean that stands in front of every request where web security is on. */
    static final String FILTER_CHAIN_BEAN = "springSecurityFilterChain";

    private static final String AUTHENTICATION_FAILED = "org.springframework.security.core.AuthenticationException";
    private static final String ACCESS_DENIED = "org.springframework.security.access.AccessDeniedException";
    private static final String REQUEST_REJECTED = "org.springframework.security.web.firewall.RequestRejectedException";
    private static final String IN_FILTER_CHAIN = "org.springframework.security.web.FilterChainProxy.APPLIED";
    private static final String ITS_PACKAGES = "org.springframework.security.";

    private SpringSecurity() {}

    /**
     * 401 or 403 for a refusal of Spring Security, 400 for what its firewall rejects. The firewall looks at headers and parameters
     * only when somebody asks for them, so that it may throw in the middle of a handler's arguments.
     */
    static OptionalInt statusOf(Throwable thrown) {
        if (isA(thrown, AUTHENTICATION_FAILED)) {
            return OptionalInt.of(HttpStatus.UNAUTHORIZED.value());
        }
        if (isA(thrown, ACCESS_DENIED)) {
            return OptionalInt.of(HttpStatus.FORBIDDEN.value());
        }
        return isA(thrown, REQUEST_REJECTED) ? OptionalInt.of(HttpStatus.BAD_REQUEST.value()) : OptionalInt.empty();
    }

    /**
     * Whether Spring Security's filters wait for this refusal. They answer an unknown caller with 401 and its challenge, a
     * known one with 403, or as the application has told them.
     */
    static boolean awaits(Throwable thrown, HttpServletRequest request) {
        return request.getAttribute(IN_FILTER_CHAIN) != null
                && (isA(thrown, AUTHENTICATION_FAILED) || isA(thrown, ACCESS_DENIED));
    }

    /** Whether the advisor is one of Spring Security, which asks for rights before or after {@code method}. */
    static boolean authorises(Advisor advisor, Class<?> owner, Method method) {
        return advisor instanceof PointcutAdvisor pointcut
                && advisor.getClass().getName().startsWith(ITS_PACKAGES)
                && pointcut.getPointcut().getClassFilter().matches(owner)
                && pointcut.getPointcut().getMethodMatcher().matches(method, owner);
    }

    private static boolean isA(Throwable thrown, String name) {
        return Stream.<Class<?>>iterate(thrown.getClass(), Objects::nonNull, Class::getSuperclass)
                .anyMatch(type -> type.getName().equals(name));
    }
}
