package dev.waybill.servicekit.access;

import dev.waybill.servicekit.Caller;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationToken;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Gives controllers their {@link Caller}, from the token that was accepted. */
final class CallerResolver implements HandlerMethodArgumentResolver, WebMvcConfigurer {

    private final AccessMode mode;

    CallerResolver(AccessMode mode) {
        this.mode = mode;
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(this);
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Caller.class;
    }

    @Override
    public Caller resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer container,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binders) {
        if (mode == AccessMode.OPEN) {
            return Caller.unrestrictedCaller();
        }
        return SecurityContextHolder.getContext().getAuthentication() instanceof JwtAuthenticationToken known
                ? caller(known.getToken())
                : Caller.unknown();
    }

    private static Caller caller(Jwt token) {
        Set<String> roles = Set.copyOf(TokenRules.rolesOf(token).orElseThrow());
        return new Caller(TokenRules.userIdOf(token), roles, false);
    }
}
