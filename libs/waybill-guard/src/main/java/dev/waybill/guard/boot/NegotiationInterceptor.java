package dev.waybill.guard.boot;

import dev.waybill.guard.web.Code;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationManager;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * Settles the content negotiation before a handler runs: what the caller accepts is compared with what the handler declares to
 * return. Spring itself asks only when the answer is written, which is after the deed.
 */
final class NegotiationInterceptor implements HandlerInterceptor {

    private final ContentNegotiationManager manager;
    private final ProducibleTypes producible;
    private final AnswerFactory answers;

    NegotiationInterceptor(ContentNegotiationManager manager, ProducibleTypes producible, AnswerFactory answers) {
        this.manager = manager;
        this.producible = producible;
        this.answers = answers;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws HttpMediaTypeNotAcceptableException {
        if (handler instanceof HandlerMethod method && request.getDispatcherType() == DispatcherType.REQUEST) {
            List<MediaType> accepted = manager.resolveMediaTypes(new ServletWebRequest(request));
            List<MediaType> produced = producible.of(method);
            if (!produced.isEmpty()
                    && accepted.stream().noneMatch(wish -> produced.stream().anyMatch(wish::isCompatibleWith))) {
                throw new HttpMediaTypeNotAcceptableException(produced);
            }
        }
        Negotiation.settle(request);
        return true;
    }

    /** Spring's own handlers of OPTIONS, with or without an origin, answer by headers and return no body. */
    @Override
    public void postHandle(
            HttpServletRequest request,
            HttpServletResponse response,
            Object handler,
            @Nullable ModelAndView modelAndView)
            throws IOException {
        boolean hasNoBody = handler instanceof HandlerMethod method
                ? method.getMethod().getReturnType() == HttpHeaders.class
                : CorsUtils.isPreFlightRequest(request);
        if (hasNoBody && request.getMethod().equals(HttpMethod.OPTIONS.name()) && !response.isCommitted()) {
            RequestCheckFilter.write(answers, AnswerFailure.ofStatus(Code.OK.status()), request, response);
        }
    }
}
