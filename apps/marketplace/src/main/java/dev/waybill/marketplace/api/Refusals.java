package dev.waybill.marketplace.api;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.marketplace.domain.InvalidRequestException;
import dev.waybill.outbox.PublishException;
import dev.waybill.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What the guards' own handler can't know: which field was wrong, and that the database is away. */
@RestControllerAdvice(basePackageClasses = Refusals.class)
class Refusals {

    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    /** Which field breaks which rule. */
    record BrokenRule(String field, String rule) {}

    @ExceptionHandler
    ResponseEntity<Answer<BrokenRule>> invalid(InvalidRequestException invalid) {
        return ResponseEntity.status(Code.BAD_INPUT.status())
                .body(Answer.of(Code.BAD_INPUT, new BrokenRule(invalid.field(), invalid.rule())));
    }

    @ExceptionHandler({DataAccessResourceFailureException.class, CannotCreateTransactionException.class})
    ResponseEntity<Answer<String>> databaseAway(RuntimeException away) {
        log.warn("[Marketplace] database away error={}", away.getClass().getName());
        log.debug("[Marketplace] database away", away);
        return ResponseEntity.status(Code.DEPENDENCY_DOWN.status()).body(Answer.of(Code.DEPENDENCY_DOWN, "database"));
    }

    /** The statements of outbox and dead letters may be the ones to notice. */
    @ExceptionHandler
    ResponseEntity<Answer<String>> storeFailed(StoreException failed) {
        if (failed.reason() == StoreException.Reason.UNAVAILABLE) {
            return databaseAway(failed);
        }
        log.error("[Marketplace] store failed reason={}", failed.reason(), failed);
        return ResponseEntity.status(Code.INTERNAL.status()).body(Answer.of(Code.INTERNAL, "store"));
    }

    /** An event that cannot be published; nothing was written. */
    @ExceptionHandler
    ResponseEntity<Answer<String>> notPublished(PublishException refused) {
        log.error("[Marketplace] event refused reason={}", refused.reason(), refused);
        return ResponseEntity.status(Code.INTERNAL.status()).body(Answer.of(Code.INTERNAL, "event"));
    }
}
