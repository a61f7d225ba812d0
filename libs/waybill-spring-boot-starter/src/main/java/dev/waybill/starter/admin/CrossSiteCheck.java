package dev.waybill.starter.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Set;
import org.springframework.http.HttpHeaders;

/**
 * Refuses what a page of another site sends with a person's cookie or remembered password. Browsers say where a request comes from; where
 * one does not, a change still needs a header that no form can send and no other site's script without asking first (CORS).
 */
final class CrossSiteCheck {

    /** A change that is not sent with a bearer token has this header. */
    static final String OWN_HEADER = "X-Waybill-Request";

    private static final String FETCH_SITE = "Sec-Fetch-Site";
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private CrossSiteCheck() {}

    static void check(HttpServletRequest request, boolean changes) {
        if (isOfAnotherSite(request)) {
            throw new AdminRefusal(AdminError.CROSS_SITE);
        }
        if (changes && !hasBearerToken(request) && request.getHeader(OWN_HEADER) == null) {
            throw new AdminRefusal(AdminError.HEADER_MISSING);
        }
    }

    private static boolean isOfAnotherSite(HttpServletRequest request) {
        String site = request.getHeader(FETCH_SITE);
        if (site != null) {
            return !OWN_SITES.contains(site);
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin != null
                && !origin.equalsIgnoreCase(request.getScheme() + "://" + request.getHeader(HttpHeaders.HOST));
    }

    /** A token is sent by a program's will, never by a browser's habit. */
    static boolean hasBearerToken(HttpServletRequest request) {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        return authorization != null && authorization.toLowerCase(Locale.ROOT).startsWith("bearer ");
    }
}
