package dev.waybill.guard.web;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a request. It names the bucket of a limit per user, and it is part of an idempotent request's fingerprint, so
 * that one caller can't fetch another's result with a guessed key.
 *
 * <p>The default is the servlet principal. Services that authenticate in another way declare a bean of this type.
 */
@FunctionalInterface
public interface CallerIdentity {

    /** A stable name, or null for somebody unknown. */
    @Nullable String of(HttpServletRequest request);

    /** The name of the servlet principal. */
    static CallerIdentity principal() {
        return request -> {
            Principal principal = request.getUserPrincipal();
            return principal == null ? null : principal.getName();
        };
    }
}
