package dev.waybill.order.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.order.domain.InvalidOrderException;
import dev.waybill.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers the exceptions that the guards' own handler does not know: the order's own rules, and failures of the outbox. */
@RestControllerAdvice(assignableTypes = OrderController.class)
class ApiExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ApiExceptionHandler.class);

    /** Which field breaks which rule. */
    record BrokenRule(String field, String rule) {}

    @ExceptionHandler
    ResponseEntity<Answer<BrokenRule>> invalid(InvalidOrderException invalid) {
        return ResponseEntity.status(Code.BAD_INPUT.status())
                .body(Answer.of(Code.BAD_INPUT, new BrokenRule(invalid.field(), invalid.rule())));
    }

    /** The database may fail in the outbox's statement, which reports it by an exception of its own. */
    @ExceptionHandler
    ResponseEntity<Answer<String>> outboxFailed(StoreException failed) {
        Code code = failed.reason() == StoreException.Reason.UNAVAILABLE ? Code.DEPENDENCY_DOWN : Code.INTERNAL;
        log.error("[Orders] outbox failed reason={}", failed.reason(), failed);
        return ResponseEntity.status(code.status()).body(Answer.of(code, "outbox"));
    }
}
