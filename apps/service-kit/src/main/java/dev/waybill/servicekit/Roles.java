package dev.waybill.servicekit;

import org.springframework.security.authorization.AuthenticatedAuthorizationManager;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationManagers;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** The roles in a token's claim {@code roles}. Who has none is a user. */
public final class Roles {

    /** Receives stock, looks at everything, decides on dead letters. Acts for no user. */
    public static final String OPERATOR = "operator";

    private Roles() {}

    /** For {@code access(…)} of a path where users act for themselves: a login, and no operator's. */
    public static AuthorizationManager<RequestAuthorizationContext> usersOnly() {
        return AuthorizationManagers.allOf(
                AuthenticatedAuthorizationManager.authenticated(),
                AuthorizationManagers.not(AuthorityAuthorizationManager.hasRole(OPERATOR)));
    }
}
