package dev.waybill.starter.admin;

import dev.waybill.starter.AdminProperties;
import java.util.Set;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;

/** Which authorities of Spring Security make a viewer, and which an operator. An operator may look too. */
record AdminRoles(Set<String> viewers, Set<String> operators) {

    static AdminRoles of(AdminProperties properties) {
        return new AdminRoles(Set.copyOf(properties.viewerAuthorities()), Set.copyOf(properties.operatorAuthorities()));
    }

    static boolean isKnown(Authentication caller) {
        return caller.isAuthenticated() && !(caller instanceof AnonymousAuthenticationToken);
    }

    boolean mayView(Authentication caller) {
        return mayDecide(caller) || hasOneOf(viewers, caller);
    }

    boolean mayDecide(Authentication caller) {
        return hasOneOf(operators, caller);
    }

    private static boolean hasOneOf(Set<String> authorities, Authentication caller) {
        return caller.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .anyMatch(authority -> authority != null && authorities.contains(authority));
    }
}
