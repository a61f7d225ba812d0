package dev.waybill.guard.boot;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Answers what the servlet container sends to its error page: exceptions inside filters, {@code sendError} of security
 * filters, and whatever else never reached a handler.
 */
@RestController
class AnswerErrorController implements ErrorController {

    private final AnswerFactory answers;

    AnswerErrorController(AnswerFactory answers) {
        this.answers = answers;
    }

    /** Past Spring's message converters: they fail where the path that the caller asked for cannot be decoded. */
    @RequestMapping("${spring.web.error.path:${server.error.path:/error}}")
    public void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AnswerFailure failure = failure(request);
        response.setStatus(failure.status());
        failure.headers().forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        RequestCheckFilter.write(answers, failure, request, response);
    }

    private static AnswerFailure failure(HttpServletRequest request) {
        if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable thrown) {
            return AnswerFailure.of(rootOf(thrown));
        }
        // A caller that asks for this path directly has no error to be told of: to that caller nothing is here.
        return request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer status
                ? AnswerFailure.ofStatus(status)
                : AnswerFailure.ofStatus(HttpStatus.NOT_FOUND.value());
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return thrown instanceof jakarta.servlet.ServletException && cause != null ? cause : thrown;
    }
}
