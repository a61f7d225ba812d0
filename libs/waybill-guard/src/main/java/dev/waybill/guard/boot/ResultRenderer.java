package dev.waybill.guard.boot;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Splits a handler's return value into its HTTP status and its data, and renders the data for the first caller and all
 * repeats.
 */
final class ResultRenderer {

    /** A handler's answer as the caller will see it. */
    record RenderedResult(int httpStatus, @Nullable Object data) {

        boolean isSuccess() {
            return httpStatus >= 200 && httpStatus < 300;
        }
    }

    private final JsonMapper json;

    ResultRenderer(JsonMapper json) {
        this.json = json;
    }

    static RenderedResult takeApart(@Nullable Object returned, int declaredStatus) {
        if (returned instanceof ResponseEntity<?> entity) {
            return takeApart(entity.getBody(), entity.getStatusCode().value());
        }
        if (returned instanceof HttpEntity<?> entity) {
            return takeApart(entity.getBody(), declaredStatus);
        }
        if (returned instanceof Answer<?> answer) {
            return new RenderedResult(statusOf(answer, declaredStatus), answer.data());
        }
        return new RenderedResult(declaredStatus, returned);
    }

    private static int statusOf(Answer<?> answer, int declaredStatus) {
        return Arrays.stream(Code.values())
                .filter(code -> code != Code.OK && code.text().equals(answer.code()))
                .mapToInt(Code::status)
                .findFirst()
                .orElse(declaredStatus);
    }

    /** The data's JSON, under the type that the handler declares, so that generic and polymorphic data keep their form. */
    String render(@Nullable Object data, IdempotentPlan plan) {
        Class<?> view = plan.declared().jsonView();
        ObjectWriter writer = view == null ? json.writer() : json.writerWithView(view);
        ResolvableType declared = plan.shape().data();
        if (data != null && declared.hasGenerics() && !declared.hasUnresolvableGenerics()) {
            JavaType type = json.getTypeFactory().constructType(declared.getType());
            if (type.getRawClass().isInstance(data)) {
                writer = writer.forType(type);
            }
        }
        return writer.writeValueAsString(data);
    }
}
