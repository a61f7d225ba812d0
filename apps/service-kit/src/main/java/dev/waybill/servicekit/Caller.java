package dev.waybill.servicekit;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who sends the request. A controller's method takes it as a parameter.
 *
 * <p>An operator acts for nobody, whatever the number in their token: they see everything and are no user. Where the service
 * is open, {@code unrestricted}, everybody may do everything.
 */
public record Caller(@Nullable Long userId, Set<String> roles, boolean unrestricted) {

    public Caller {
        roles = Set.copyOf(roles);
    }

    /** The caller of an open service. */
    public static Caller unrestrictedCaller() {
        return new Caller(null, Set.of(), true);
    }

    /** Somebody without a token, at an address that is open to the public. */
    public static Caller unknown() {
        return new Caller(null, Set.of(), false);
    }

    /** Whether the caller may do what operators may. */
    public boolean isOperator() {
        return unrestricted || roles.contains(Roles.OPERATOR);
    }

    /** Whether the caller is this user, or nobody is checked. */
    public boolean is(long user) {
        return unrestricted || (!isOperator() && userId != null && userId == user);
    }

    /** 403 unless the caller is this user: for ids that the caller names itself, in a body. */
    public void mustBe(long user) {
        if (!is(user)) {
            throw new RefusedException(Code.FORBIDDEN);
        }
    }

    /** Whether the caller may see what belongs to these users: one of them, or an operator. */
    public boolean maySee(long... owners) {
        return isOperator() || Arrays.stream(owners).anyMatch(this::is);
    }
}
