package dev.waybill.starter.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;

/** A filter with a misspelt name would find everything: parameters that a method does not know are refused, and so are repeated ones. */
final class KnownParameters {

    private KnownParameters() {}

    static void check(HttpServletRequest request, HandlerMethod method) {
        Set<String> known = of(method);
        request.getParameterMap().forEach((name, values) -> {
            if (!known.contains(name)) {
                throw new AdminRefusal(AdminError.BAD_INPUT, "there is no such parameter; these are known: " + known);
            }
            if (values.length > 1) {
                throw AdminRefusal.badInput(name, "is given twice");
            }
        });
    }

    static Set<String> of(HandlerMethod method) {
        return Arrays.stream(method.getMethod().getParameters())
                .flatMap(KnownParameters::names)
                .collect(Collectors.toCollection(java.util.TreeSet::new));
    }

    private static Stream<String> names(Parameter parameter) {
        if (parameter.isAnnotationPresent(RequestParam.class)) {
            return Stream.of(parameter.getName());
        }
        return parameter.isAnnotationPresent(ModelAttribute.class)
                ? Arrays.stream(parameter.getType().getRecordComponents()).map(RecordComponent::getName)
                : Stream.empty();
    }
}
