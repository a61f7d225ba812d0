package dev.waybill.guard.boot;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * A request whose Accept header is believed until the negotiation is settled. From then on anything will do if the caller's
 * wishes can't be met: an answer must not fail over its form after the handler did its work.
 */
final class Negotiation extends HttpServletRequestWrapper {

    private static final String ATTRIBUTE = Negotiation.class.getName();
    private static final String ANYTHING = MediaType.ALL_VALUE;
    private static final String ANYTHING_LAST = ANYTHING + ";q=0.001";

    /** Spring refuses to sort more media types than this. */
    private static final int MOST_TYPES = 50;

    private boolean settled;

    Negotiation(HttpServletRequest request) {
        super(request);
        request.setAttribute(ATTRIBUTE, this);
    }

    /** Nothing that follows on this request may be refused for its Accept header. */
    static void settle(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Negotiation negotiation) {
            negotiation.settled = true;
        }
    }

    @Override
    public @Nullable String getHeader(String name) {
        return settled && isAccept(name) ? String.join(", ", accepted()) : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return settled && isAccept(name) ? Collections.enumeration(accepted()) : super.getHeaders(name);
    }

    private static boolean isAccept(String name) {
        return name.equalsIgnoreCase(HttpHeaders.ACCEPT);
    }

    private List<String> accepted() {
        List<String> given = Collections.list(super.getHeaders(HttpHeaders.ACCEPT));
        try {
            if (MediaType.parseMediaTypes(given).size() < MOST_TYPES) {
                List<String> widened = new ArrayList<>(given);
                widened.add(ANYTHING_LAST);
                return widened;
            }
        } catch (InvalidMediaTypeException unreadable) {
            // Such a header was refused before; what is answered now is that refusal.
        }
        return List.of(ANYTHING);
    }
}
