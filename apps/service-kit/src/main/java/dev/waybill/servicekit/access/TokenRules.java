package dev.waybill.servicekit.access;

import dev.waybill.servicekit.Roles;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2ErrorCodes;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;

/** What a token must say beyond its signature: when it ends, who it is for, and roles as a list of texts. */
final class TokenRules implements OAuth2TokenValidator<Jwt> {

    private static final String ROLES = "roles";
    private static final Pattern USER_NUMBER = Pattern.compile("[1-9][0-9]{0,17}");

    @Override
    public OAuth2TokenValidatorResult validate(Jwt token) {
        if (token.getExpiresAt() == null) {
            return refused("exp is missing");
        }
        Optional<List<String>> roles = rolesOf(token);
        if (roles.isEmpty()) {
            return refused("roles is no list of texts");
        }
        boolean named = token.getSubject() != null && !token.getSubject().isBlank();
        if (!named || (userIdOf(token) == null && !roles.get().contains(Roles.OPERATOR))) {
            return refused("sub is no user's number");
        }
        return OAuth2TokenValidatorResult.success();
    }

    /** The user's number, or null where {@code sub} is an operator's name. */
    static @Nullable Long userIdOf(Jwt token) {
        String subject = token.getSubject();
        return subject != null && USER_NUMBER.matcher(subject).matches() ? Long.valueOf(subject) : null;
    }

    /** No roles where the claim is missing; nothing where it is something else than a list of texts. */
    static Optional<List<String>> rolesOf(Jwt token) {
        Object claim = token.getClaims().get(ROLES);
        if (claim == null) {
            return Optional.of(List.of());
        }
        if (claim instanceof Collection<?> roles && roles.stream().allMatch(String.class::isInstance)) {
            return Optional.of(roles.stream().map(String.class::cast).toList());
        }
        return Optional.empty();
    }

    static Collection<GrantedAuthority> authoritiesOf(Jwt token) {
        return rolesOf(token).orElseThrow().stream()
                .<GrantedAuthority>map(role -> new SimpleGrantedAuthority("ROLE_" + role))
                .toList();
    }

    private static OAuth2TokenValidatorResult refused(String rule) {
        return OAuth2TokenValidatorResult.failure(new OAuth2Error(OAuth2ErrorCodes.INVALID_TOKEN, rule, null));
    }
}
