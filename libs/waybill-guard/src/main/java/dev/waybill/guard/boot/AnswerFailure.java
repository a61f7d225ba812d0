package dev.waybill.guard.boot;

import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.BindException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.util.InvalidUrlException;

/** What a thrown exception means to the caller: a code, a status, the field at fault, and headers such as Allow or Retry-After. */
record AnswerFailure(
        Code code,
        int status,
        @Nullable String detail,
        @Nullable BrokenRule data,
        HttpHeaders headers) {

    /** By name: Bean Validation is not among our dependencies, and Tomcat may be replaced by another container. */
    private static final Set<String> BAD_INPUT_BY_NAME = Set.of(
            "jakarta.validation.ConstraintViolationException", "org.apache.tomcat.util.http.InvalidParameterException");

    /** By name too: a service may have no database. Their subclasses count. */
    private static final Set<String> DATABASE_AWAY_BY_NAME = Set.of(
            "org.springframework.dao.DataAccessResourceFailureException",
            "org.springframework.transaction.CannotCreateTransactionException");

    static AnswerFailure of(Throwable thrown) {
        AnswerFailure failure = withoutData(thrown);
        return failure.code == Code.BAD_INPUT
                ? new AnswerFailure(
                        failure.code,
                        failure.status,
                        failure.detail,
                        BrokenRules.of(thrown).orElse(null),
                        failure.headers)
                : failure;
    }

    private static AnswerFailure withoutData(Throwable thrown) {
        if (thrown instanceof RefusedException refused) {
            return new AnswerFailure(
                    refused.code(), refused.code().status(), refused.detail(), null, headers(refused.headers()));
        }
        if (thrown instanceof ErrorResponse response) {
            int status = response.getStatusCode().value();
            return new AnswerFailure(Code.ofStatus(status), status, null, null, response.getHeaders());
        }
        if (thrown instanceof MaxUploadSizeExceededException) {
            return ofStatus(HttpStatus.CONTENT_TOO_LARGE.value());
        }
        if (isDatabaseAway(thrown)) {
            return ofStatus(Code.DEPENDENCY_DOWN.status());
        }
        OptionalInt declared = declaredStatus(thrown);
        if (declared.isPresent()) {
            return ofStatus(declared.getAsInt());
        }
        return ofStatus(isBadInput(thrown) ? Code.BAD_INPUT.status() : Code.INTERNAL.status());
    }

    static AnswerFailure ofStatus(int status) {
        return new AnswerFailure(Code.ofStatus(status), status, null, null, HttpHeaders.EMPTY);
    }

    boolean isOurFault() {
        return status >= HttpStatus.INTERNAL_SERVER_ERROR.value() && code != Code.DEPENDENCY_DOWN;
    }

    /** The status of a refusal by Spring Security, or of an exception, or a cause of it, that has {@code @ResponseStatus}. */
    private static OptionalInt declaredStatus(Throwable thrown) {
        OptionalInt refused = SpringSecurity.statusOf(thrown);
        if (refused.isPresent()) {
            return refused;
        }
        ResponseStatus declared = AnnotatedElementUtils.findMergedAnnotation(thrown.getClass(), ResponseStatus.class);
        if (declared != null) {
            return OptionalInt.of(declared.code().value());
        }
        Throwable cause = thrown.getCause();
        if (cause instanceof ErrorResponse response) {
            return OptionalInt.of(response.getStatusCode().value());
        }
        return cause == null ? OptionalInt.empty() : declaredStatus(cause);
    }

    private static boolean isDatabaseAway(Throwable thrown) {
        return Stream.<Class<?>>iterate(thrown.getClass(), Objects::nonNull, Class::getSuperclass)
                .anyMatch(type -> DATABASE_AWAY_BY_NAME.contains(type.getName()));
    }

    private static boolean isBadInput(Throwable thrown) {
        return thrown instanceof HttpMessageNotReadableException
                || thrown instanceof TypeMismatchException
                || thrown instanceof BindException
                || thrown instanceof ServletRequestBindingException
                || thrown instanceof MultipartException
                || thrown instanceof InvalidUrlException
                || BAD_INPUT_BY_NAME.contains(thrown.getClass().getName());
    }

    private static HttpHeaders headers(Map<String, String> from) {
        HttpHeaders headers = new HttpHeaders();
        from.forEach(headers::set);
        return headers;
    }
}
