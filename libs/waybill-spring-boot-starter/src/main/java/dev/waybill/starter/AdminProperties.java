package dev.waybill.starter;

import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The admin API under {@code /waybill/api}.
 *
 * @param enabled Whether there is one. It needs Spring MVC and Spring Security with a login or a resource server.
 * @param viewerAuthorities Authorities of Spring Security whose owners may look.
 * @param operatorAuthorities Authorities of Spring Security whose owners may look and decide.
 * @param callsPerMinute Calls that one caller may make in a minute, in each process.
 * @param failuresPerMinute Refused logins of one address in a minute, in each process, after which its passwords are not looked at any
 *     more; bearer tokens, which nobody guesses, still are.
 */
public record AdminProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("ROLE_WAYBILL_VIEWER") List<String> viewerAuthorities,
        @DefaultValue("ROLE_WAYBILL_OPERATOR") List<String> operatorAuthorities,
        @DefaultValue("600") int callsPerMinute,
        @DefaultValue("20") int failuresPerMinute) {}
