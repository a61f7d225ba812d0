package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.marketplace.domain.InvalidRequestException;
import dev.waybill.outbox.PublishException;
import dev.waybill.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers the exceptions that the guards' own handler does not know: broken rules, a missing login, failures of the outbox. */
@RestControllerAdvice(basePackageClasses = ApiExceptionHandler.class)
class ApiExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);

    /** Which field breaks which rule. */
    record BrokenRule(String field, String rule) {}

    @ExceptionHandler
    ResponseEntity<Answer<BrokenRule>> invalid(InvalidRequestException invalid) {
        return ResponseEntity.status(Code.BAD_INPUT.status())
                .body(Answer.of(Code.BAD_INPUT, new BrokenRule(invalid.field(), invalid.rule())));
    }

    /** The status is the exact one, the code that of its family. */
    @ExceptionHandler
    ResponseEntity<Answer<String>> loginRequired(LoginRequiredException required) {
        return ResponseEntity.status(HttpStatus.UNAUTHORIZED)
                .header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"marketplace\", charset=\"UTF-8\"")
                .body(Answer.of(Code.BAD_INPUT, "login"));
    }

    /** The database may fail in a statement of the outbox or the dead letters, which report it by an exception of their own. */
    @ExceptionHandler
    ResponseEntity<Answer<String>> storeFailed(StoreException failed) {
        Code code = failed.reason() == StoreException.Reason.UNAVAILABLE ? Code.DEPENDENCY_DOWN : Code.INTERNAL;
        log.error("[Marketplace] store failed reason={}", failed.reason(), failed);
        return ResponseEntity.status(code.status()).body(Answer.of(code, "store"));
    }

    /** The event cannot be published; nothing was written. */
    @ExceptionHandler
    ResponseEntity<Answer<String>> notPublished(PublishException refused) {
        log.error("[Marketplace] event refused reason={}", refused.reason(), refused);
        return ResponseEntity.status(Code.INTERNAL.status()).body(Answer.of(Code.INTERNAL, "event"));
    }
}
