package dev.waybill.guard.boot;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import java.util.stream.Stream;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterValidationResult;

/** What Bean Validation says of a broken rule. Only a service that has it may touch this class. */
final class ConstraintRules {

    /** In a message's template it stands for what the caller sent. */
    private static final String CALLERS_VALUE = "validatedValue";

    private ConstraintRules() {}

    static Stream<BrokenRule> of(Throwable thrown) {
        return thrown instanceof ConstraintViolationException invalid
                ? invalid.getConstraintViolations().stream().map(ConstraintRules::of)
                : Stream.empty();
    }

    static boolean isIn(FieldError error) {
        return error.contains(ConstraintViolation.class);
    }

    static BrokenRule of(FieldError error) {
        return of(error.unwrap(ConstraintViolation.class));
    }

    private static BrokenRule of(ConstraintViolation<?> violation) {
        return new BrokenRule(path(violation.getPropertyPath()), rule(violation));
    }

    static String rule(ParameterValidationResult result, MessageSourceResolvable error) {
        return rule(result.unwrap(error, ConstraintViolation.class));
    }

    private static String rule(ConstraintViolation<?> violation) {
        boolean quotes = violation.getMessageTemplate().contains(CALLERS_VALUE);
        return BrokenRules.rule(quotes ? null : violation.getMessage());
    }

    /** As the caller knows it: without the method, and without the parameter that the body is. */
    private static String path(Path full) {
        StringBuilder path = new StringBuilder();
        String parameter = "";
        for (Path.Node node : full) {
            if (node.getKind() == ElementKind.PARAMETER) {
                parameter = node.getName();
            } else if (node.getKind() == ElementKind.PROPERTY || node.getKind() == ElementKind.CONTAINER_ELEMENT) {
                path.append(place(node));
                if (node.getKind() == ElementKind.PROPERTY) {
                    path.append(path.isEmpty() ? "" : ".").append(node.getName());
                }
            }
        }
        return path.isEmpty() || path.charAt(0) == '[' ? parameter + path : path.toString();
    }

    /** The element of a list, or of a map, whose key is the caller's and is not named. */
    private static String place(Path.Node node) {
        if (!node.isInIterable()) {
            return "";
        }
        return node.getIndex() == null ? "[]" : "[" + node.getIndex() + "]";
    }
}
