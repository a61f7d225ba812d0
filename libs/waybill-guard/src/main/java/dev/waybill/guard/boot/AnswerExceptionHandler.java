package dev.waybill.guard.boot;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/**
 * The one exception handler: whatever a handler throws leaves as an {@link Answer}, always as JSON, never with a stack trace.
 *
 * <p>It comes last, so an application's own {@code @ExceptionHandler} wins; what that one returns still gets the one shape.
 * Refusals of Spring Security go on to its filters, which know who is asking.
 * Failures of ours are logged with their stack, a database that is away on one WARN line, a caller's mistakes on one DEBUG
 * line without the caller's text.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class AnswerExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(AnswerExceptionHandler.class);

    private final AnswerFactory answers;

    AnswerExceptionHandler(AnswerFactory answers) {
        this.answers = answers;
    }

    @ExceptionHandler(Throwable.class)
    public @Nullable ResponseEntity<Answer<@Nullable Object>> handle(
            Throwable thrown, HttpServletRequest request, HttpServletResponse response) throws Throwable {
        if (SpringSecurity.awaits(thrown, request)) {
            throw thrown;
        }
        if (thrown instanceof AsyncRequestNotUsableException || response.isCommitted()) {
            log.debug(
                    "[Answer] caller gone or answer under way error={}",
                    thrown.getClass().getName());
            return null;
        }
        AnswerFailure failure = AnswerFailure.of(thrown);
        if (failure.isOurFault()) {
            log.error("[Answer] failed code={} method={}", failure.code().text(), request.getMethod(), thrown);
        } else if (failure.code() == Code.DEPENDENCY_DOWN && !(thrown instanceof RefusedException)) {
            log.warn("[Answer] dependency down error={}", thrown.getClass().getName());
            log.debug("[Answer] dependency down", thrown);
        } else {
            log.debug(
                    "[Answer] refused code={} error={}",
                    failure.code().text(),
                    thrown.getClass().getName());
        }
        return entity(failure, request);
    }

    private ResponseEntity<Answer<@Nullable Object>> entity(AnswerFailure failure, HttpServletRequest request) {
        return ResponseEntity.status(failure.status())
                .headers(headers -> headers.addAll(failure.headers()))
                .contentType(MediaType.APPLICATION_JSON)
                .body(answers.answer(failure.code(), failure.detail(), failure.data(), request));
    }
}
