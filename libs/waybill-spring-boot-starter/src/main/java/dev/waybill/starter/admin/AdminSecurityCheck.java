package dev.waybill.starter.admin;

import dev.waybill.starter.StartUpException;
import jakarta.servlet.Filter;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.handler.AbstractHandlerMethodMapping;
import org.springframework.web.servlet.handler.MappedInterceptor;

/**
 * An admin API that nobody can log in to, or everybody with a password that Spring Boot has drawn, does not start; neither does one that
 * {@link AdminAccess} does not stand before.
 */
final class AdminSecurityCheck implements SmartInitializingSingleton {

    static final String ENABLED = "waybill.admin.enabled";
    private static final String PASSWORD = "spring.security.user.password";

    /** Spring Boot's own user, whose password is drawn where none is given. */
    private static final String BOOTS_USER = "inMemoryUserDetailsManager";

    /** By name: which of them there are depends on the application's dependencies. */
    private static final List<String> LOGINS = List.of(
            "org.springframework.security.oauth2.server.resource.web.authentication.BearerTokenAuthenticationFilter",
            "org.springframework.security.web.authentication.AbstractAuthenticationProcessingFilter",
            "org.springframework.security.web.authentication.AuthenticationFilter",
            "org.springframework.security.web.authentication.preauth.AbstractPreAuthenticatedProcessingFilter",
            "org.springframework.security.web.authentication.www.BasicAuthenticationFilter");

    private final ListableBeanFactory beans;
    private final Environment environment;

    AdminSecurityCheck(ListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    @Override
    public void afterSingletonsInstantiated() {
        checkLogin();
        checkAccess();
    }

    private void checkLogin() {
        boolean login = beans.getBeanProvider(FilterChainProxy.class).stream()
                .map(proxy -> proxy.getFilters(AdminApi.PATH + "/dead-letters"))
                .anyMatch(filters -> filters != null && filters.stream().anyMatch(AdminSecurityCheck::logsIn));
        if (!login) {
            throw new StartUpException(
                    ENABLED,
                    ENABLED + "=true, and no filter chain of Spring Security that has a login covers " + AdminApi.PATH
                            + ".",
                    "Configure a login or a resource server for " + AdminApi.PATH + " (such as"
                            + " spring.security.oauth2.resourceserver.jwt.issuer-uri), or set " + ENABLED + "=false.",
                    null);
        }
        String password = environment.getProperty(PASSWORD);
        if (beans.containsBean(BOOTS_USER) && (password == null || password.isBlank())) {
            throw new StartUpException(
                    PASSWORD,
                    ENABLED + "=true, and the only user has a password that Spring Boot draws and logs.",
                    "Set " + PASSWORD + " and spring.security.user.roles, configure another login, or set " + ENABLED
                            + "=false.",
                    null);
        }
    }

    private void checkAccess() {
        boolean open = beans.getBeanProvider(AbstractHandlerMethodMapping.class).stream()
                .anyMatch(mapping -> hasAdminApi(mapping) && !asksAccess(mapping));
        if (open) {
            throw new StartUpException(
                    ENABLED,
                    ENABLED
                            + "=true, and this application's handler mapping does not ask the interceptor that decides who"
                            + " may call " + AdminApi.PATH + ".",
                    "Let the handler mapping detect beans of the type MappedInterceptor, as Spring's own does, or set "
                            + ENABLED + "=false.",
                    null);
        }
    }

    private static boolean hasAdminApi(AbstractHandlerMethodMapping<?> mapping) {
        return mapping.getHandlerMethods().values().stream()
                .anyMatch(method -> AnnotatedElementUtils.hasAnnotation(method.getBeanType(), AdminApi.class));
    }

    private static boolean asksAccess(AbstractHandlerMethodMapping<?> mapping) {
        HandlerInterceptor[] asked = mapping.getAdaptedInterceptors();
        return asked != null
                && Stream.of(asked)
                        .anyMatch(one -> one instanceof MappedInterceptor mapped
                                && mapped.getInterceptor() instanceof AdminAccess);
    }

    private static boolean logsIn(Filter filter) {
        ClassLoader loader = AdminSecurityCheck.class.getClassLoader();
        return LOGINS.stream()
                .filter(name -> ClassUtils.isPresent(name, loader))
                .map(name -> ClassUtils.resolveClassName(name, loader))
                .anyMatch(login -> login.isInstance(filter));
    }
}
