package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.ratelimit.RateLimit;
import dev.waybill.guard.web.Code;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.method.HandlerMethod;

/**
 * Adds to a handler's OpenAPI operation the refusals that its guards, path and parameters can cause, with the configured
 * names of the codes, and the header of its idempotency key. What the handler's own annotations declare is kept.
 */
final class OpenApiAnswers implements GlobalOperationCustomizer {

    private static final String KEY_HEADER = "X-Idempotency-Key";

    private final CodeCatalogue catalogue;

    OpenApiAnswers(CodeCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        Idempotent idempotent = handler.getMethodAnnotation(Idempotent.class);
        if (idempotent != null && (idempotent.key().isEmpty() || idempotent.headerFirst()) && !namesKey(operation)) {
            operation.addParametersItem(new HeaderParameter()
                    .name(KEY_HEADER)
                    .required(idempotent.key().isEmpty())
                    .description("a repeat with the same key is answered like the first request")
                    .schema(new StringSchema().maxLength(128)));
        }
        Map<String, ApiResponse> byStatus = new TreeMap<>();
        if (operation.getResponses() != null) {
            byStatus.putAll(operation.getResponses());
        }
        codes(handler, idempotent).forEach(code -> add(byStatus, code));
        ApiResponses responses = new ApiResponses();
        byStatus.forEach(responses::addApiResponse);
        operation.setResponses(responses);
        return operation;
    }

    private static boolean namesKey(Operation operation) {
        return operation.getParameters() != null
                && operation.getParameters().stream().map(Parameter::getName).anyMatch(KEY_HEADER::equals);
    }

    private static Set<Code> codes(HandlerMethod handler, @Nullable Idempotent idempotent) {
        Set<Code> codes = EnumSet.of(Code.INTERNAL, Code.DEPENDENCY_DOWN);
        if (handler.getMethodParameters().length > 0) {
            codes.add(Code.BAD_INPUT);
        }
        if (idempotent != null) {
            codes.addAll(EnumSet.of(Code.IN_PROGRESS, Code.KEY_REUSED, Code.KEY_MISSING, Code.RESULT_NOT_KEPT));
        }
        if (handler.hasMethodAnnotation(RateLimit.class)) {
            codes.add(Code.RATE_LIMITED);
        }
        if (Arrays.stream(handler.getMethodParameters())
                .anyMatch(parameter -> parameter.hasParameterAnnotation(PathVariable.class))) {
            codes.add(Code.NOT_FOUND);
        }
        return codes;
    }

    /** Codes with the same HTTP status share one response. */
    private void add(Map<String, ApiResponse> byStatus, Code code) {
        String line = catalogue.codeText(code) + ": " + catalogue.message(code, "en");
        ApiResponse response = byStatus.computeIfAbsent(String.valueOf(code.status()), status -> new ApiResponse());
        response.setDescription(response.getDescription() == null ? line : response.getDescription() + "; " + line);
        if (response.getContent() == null) {
            response.setContent(example(code));
        }
    }

    private Content example(Code code) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("code", catalogue.codeText(code));
        answer.put("message", catalogue.message(code, "en"));
        answer.put("data", null);
        answer.put("traceId", "0af7651916cd43dd8448eb211c80319c");
        return new Content().addMediaType("application/json", new MediaType().example(answer));
    }
}
