package dev.waybill.servicekit;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import dev.waybill.outbox.PublishException;
import dev.waybill.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers the failures of the outbox and the dead letters, which report a failing database by exceptions of their own. */
@RestControllerAdvice
@Order(0) // in front of the guards' handler, which takes whatever is left
final class OutboxExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(OutboxExceptionHandler.class);

    /** 503 while the database is away, else 500. */
    @ExceptionHandler
    ResponseEntity<Answer<@Nullable Object>> storeFailed(StoreException failed) {
        if (failed.reason() == StoreException.Reason.UNAVAILABLE) {
            log.warn("[Outbox] store unavailable error={}", failed.getClass().getName());
            log.debug("[Outbox] store unavailable", failed);
            return answer(Code.DEPENDENCY_DOWN);
        }
        log.error("[Outbox] store failed reason={}", failed.reason(), failed);
        return answer(Code.INTERNAL);
    }

    /** The event cannot be published; nothing was written. */
    @ExceptionHandler
    ResponseEntity<Answer<@Nullable Object>> notPublished(PublishException refused) {
        log.error("[Outbox] event refused reason={}", refused.reason(), refused);
        return answer(Code.INTERNAL);
    }

    @SuppressWarnings("NullAway") // no data: T is @Nullable Object here
    private static ResponseEntity<Answer<@Nullable Object>> answer(Code code) {
        return ResponseEntity.status(code.status()).body(Answer.of(code, null));
    }
}
