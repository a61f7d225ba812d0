package dev.waybill.starter.admin;

import dev.waybill.message.LogText;
import dev.waybill.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Whatever a method of the admin API throws leaves as an {@link AdminFailure}, without the caller's text and without a stack. */
@RestControllerAdvice(annotations = AdminApi.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
final class AdminExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(AdminExceptionHandler.class);

    @ExceptionHandler
    ResponseEntity<AdminFailure> refused(AdminRefusal refused) {
        return answer(refused.error().status(), refused.headers(), refused.error(), refused.sentence());
    }

    @ExceptionHandler
    ResponseEntity<AdminFailure> storeFailed(StoreException failed) {
        if (failed.reason() == StoreException.Reason.UNAVAILABLE) {
            log.warn("[Admin] store unavailable error={}", failed.getClass().getName());
            log.debug("[Admin] store unavailable", LogText.thrown(failed));
            return answer(AdminError.DATABASE_AWAY);
        }
        if (failed.reason() == StoreException.Reason.VALUE) {
            // such as NUL on PostgreSQL: what the admin API writes came with the call
            log.debug("[Admin] value refused", LogText.thrown(failed));
            return refused(new AdminRefusal(AdminError.BAD_INPUT, "the tables can hold no such value"));
        }
        log.error("[Admin] store failed reason={}", failed.reason(), LogText.thrown(failed));
        return answer(AdminError.INTERNAL);
    }

    /** A parameter of the wrong kind. The caller knows what it sent. */
    @ExceptionHandler
    ResponseEntity<AdminFailure> wrongKind(TypeMismatchException wrong) {
        String name = wrong instanceof MethodArgumentTypeMismatchException argument
                ? argument.getName()
                : String.valueOf(wrong.getPropertyName());
        return refused(AdminRefusal.badInput(name, "has a value that it cannot have"));
    }

    @ExceptionHandler
    ResponseEntity<AdminFailure> unreadable(HttpMessageNotReadableException unreadable) {
        log.debug("[Admin] body unreadable", LogText.thrown(unreadable));
        return answer(AdminError.BAD_INPUT);
    }

    @ExceptionHandler
    ResponseEntity<AdminFailure> failed(Exception failed) {
        if (failed instanceof ErrorResponse response
                && response.getStatusCode().is4xxClientError()) { // Spring's own refusals, such as another media type
            return answer(
                    response.getStatusCode(),
                    response.getHeaders(),
                    AdminError.BAD_INPUT,
                    AdminError.BAD_INPUT.message());
        }
        log.error("[Admin] call failed", LogText.thrown(failed));
        return answer(AdminError.INTERNAL);
    }

    private static ResponseEntity<AdminFailure> answer(AdminError error) {
        return answer(error.status(), HttpHeaders.EMPTY, error, error.message());
    }

    private static ResponseEntity<AdminFailure> answer(
            HttpStatusCode status, HttpHeaders headers, AdminError error, String message) {
        return ResponseEntity.status(status)
                .headers(all -> all.addAll(headers))
                .contentType(MediaType.APPLICATION_JSON)
                .body(AdminFailure.of(error, message));
    }
}
