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
 * @param failuresPerMinute Refused logins in a minute, in each process, after which passwords are not looked at any more: of one address
 *     at the API's paths, and of one name of Basic from one address at every path. Bearer tokens still are; a login form guards itself.
 */
public record AdminProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue("ROLE_WAYBILL_VIEWER") List<String> viewerAuthorities,
        @DefaultValue("ROLE_WAYBILL_OPERATOR") List<String> operatorAuthorities,
        @DefaultValue("600") int callsPerMinute,
        @DefaultValue("20") int failuresPerMinute) {}
