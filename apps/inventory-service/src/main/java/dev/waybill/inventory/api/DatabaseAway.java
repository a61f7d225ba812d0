package dev.waybill.inventory.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What the guards' own handler can't know: that the database is away. */
@RestControllerAdvice(assignableTypes = {InventoryController.class, ReservationController.class})
class DatabaseAway {

    private static final Logger log = LoggerFactory.getLogger(DatabaseAway.class);

    @ExceptionHandler({DataAccessResourceFailureException.class, CannotCreateTransactionException.class})
    ResponseEntity<Answer<String>> answer(RuntimeException away) {
        log.warn("[Inventory] database away error={}", away.getClass().getName());
        log.debug("[Inventory] database away", away);
        return ResponseEntity.status(Code.DEPENDENCY_DOWN.status()).body(Answer.of(Code.DEPENDENCY_DOWN, "database"));
    }
}
