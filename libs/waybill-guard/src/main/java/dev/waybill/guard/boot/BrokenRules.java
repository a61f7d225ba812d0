package dev.waybill.guard.boot;

import dev.waybill.guard.web.InvalidFieldException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;

/** Finds the broken rule in what the web layer, Jackson and Bean Validation throw. */
final class BrokenRules {

    private static final String WRONG_TYPE = "has the wrong type";
    private static final String MISSING = "is missing";
    private static final boolean BEAN_VALIDATION =
            ClassUtils.isPresent("jakarta.validation.ConstraintViolation", BrokenRules.class.getClassLoader());

    private BrokenRules() {}

    /** Nothing where no field is at fault, or none that is the service's own name. */
    static Optional<BrokenRule> of(Throwable thrown) {
        return found(thrown).filter(broken -> !broken.field().isEmpty()).min(BrokenRule.BY_NAME);
    }

    private static Stream<BrokenRule> found(Throwable thrown) {
        if (thrown instanceof InvalidFieldException invalid) {
            return Stream.of(new BrokenRule(invalid.field(), invalid.rule()));
        }
        if (thrown instanceof Errors errors) {
            return errors.getFieldErrors().stream().map(BrokenRules::ofField);
        }
        if (thrown instanceof HandlerMethodValidationException invalid && !invalid.isForReturnValue()) {
            return invalid.getParameterValidationResults().stream().flatMap(BrokenRules::ofParameter);
        }
        if (thrown instanceof MethodArgumentTypeMismatchException mismatch) {
            return Stream.of(new BrokenRule(mismatch.getName(), WRONG_TYPE));
        }
        if (thrown instanceof MissingServletRequestParameterException missing) {
            return Stream.of(new BrokenRule(missing.getParameterName(), MISSING));
        }
        if (thrown instanceof MissingRequestHeaderException missing) {
            return Stream.of(new BrokenRule(missing.getHeaderName(), MISSING));
        }
        if (thrown instanceof HttpMessageNotReadableException unreadable
                && unreadable.getCause() instanceof MismatchedInputException mismatch) {
            return Stream.of(BrokenRule.at(path(mismatch), WRONG_TYPE));
        }
        return BEAN_VALIDATION ? ConstraintRules.of(thrown) : Stream.empty();
    }

    private static BrokenRule ofField(FieldError error) {
        if (error.isBindingFailure()) {
            return BrokenRule.at(error.getField(), WRONG_TYPE); // what Spring says of it quotes the value
        }
        return BEAN_VALIDATION && ConstraintRules.isIn(error)
                ? ConstraintRules.of(error)
                : BrokenRule.at(error.getField(), rule(error.getDefaultMessage()));
    }

    static String rule(@Nullable String message) {
        return message == null || message.isBlank() ? "is not valid" : message;
    }

    private static Stream<BrokenRule> ofParameter(ParameterValidationResult result) {
        if (result instanceof ParameterErrors errors) {
            return errors.getFieldErrors().stream().map(BrokenRules::ofField);
        }
        Integer index = result.getContainerIndex();
        String field = name(result.getMethodParameter()) + (index == null ? "" : "[" + index + "]");
        return result.getResolvableErrors().stream()
                .map(error -> new BrokenRule(field, ConstraintRules.rule(result, error)));
    }

    /** As the caller writes it. */
    private static String name(MethodParameter parameter) {
        return Stream.of(RequestParam.class, PathVariable.class, RequestHeader.class)
                .map(parameter::getParameterAnnotation)
                .filter(Objects::nonNull)
                .map(annotation -> AnnotationUtils.getValue(annotation) instanceof String given ? given : "")
                .filter(given -> !given.isEmpty())
                .findFirst()
                .orElseGet(() -> String.valueOf(parameter.getParameterName()));
    }

    private static String path(MismatchedInputException mismatch) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : mismatch.getPath()) {
            boolean callersName = step.from() instanceof Map
                    || (mismatch instanceof PropertyBindingException unknown
                            && unknown.getPropertyName().equals(step.getPropertyName()));
            if (callersName) {
                break;
            }
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.toString();
    }
}
