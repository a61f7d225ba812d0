package dev.waybill.guard.boot;

import dev.waybill.guard.web.CallerIdentity;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** The identity of a service that declares none: the servlet principal, which Spring Security sets to its own. */
final class PrincipalIdentity implements CallerIdentity {

    private final CallerIdentity principal = CallerIdentity.principal();

    @Override
    public @Nullable String of(HttpServletRequest request) {
        return principal.of(request);
    }
}
