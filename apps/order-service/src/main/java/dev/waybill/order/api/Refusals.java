package dev.waybill.order.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.order.domain.InvalidOrderException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What the guards' own handler can't know: which field was wrong, and that the database is away. */
@RestControllerAdvice(assignableTypes = OrderController.class)
class Refusals {

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    /** Which field breaks which rule. */
    record BrokenRule(String field, String rule) {}

    @ExceptionHandler
    ResponseEntity<Answer<BrokenRule>> invalid(InvalidOrderException invalid) {
        return ResponseEntity.status(Code.BAD_INPUT.status())
                .body(Answer.of(Code.BAD_INPUT, new BrokenRule(invalid.field(), invalid.rule())));
    }

    @ExceptionHandler({DataAccessResourceFailureException.class, CannotCreateTransactionException.class})
    ResponseEntity<Answer<String>> databaseAway(Exception away) {
        log.error("[Order] database away error={}", away.getClass().getName(), away);
        return ResponseEntity.status(Code.DEPENDENCY_DOWN.status()).body(Answer.of(Code.DEPENDENCY_DOWN, "database"));
    }
}
