package dev.waybill.guard.boot;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import java.nio.charset.StandardCharsets;
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

    /** A handler's answer as the caller will see it; a message that is empty is the catalogue's. */
    record RenderedResult(
            int httpStatus,
            String code,
            String message,
            @Nullable Object data) {

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
            return new RenderedResult(statusOf(answer, declaredStatus), answer.code(), answer.message(), answer.data());
        }
        return new RenderedResult(declaredStatus, Code.OK.text(), "", returned);
    }

    private static int statusOf(Answer<?> answer, int declaredStatus) {
        return Arrays.stream(Code.values())
                .filter(code -> code != Code.OK && code.text().equals(answer.code()))
                .mapToInt(Code::status)
                .findFirst()
                .orElse(declaredStatus);
    }

    /**
     * The answer that is stored and sent. Half of a surrogate pair has no UTF-8 form and becomes a question mark; that
     * happens here, so that the first caller gets the same characters as every repeat.
     */
    RenderedAnswer answer(RenderedResult result, IdempotentPlan plan) {
        return new RenderedAnswer(
                encodable(result.code), encodable(result.message), encodable(render(result.data, plan)));
    }

    private static String encodable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** The data's JSON, under the type that the handler declares, so that generic and polymorphic data keep their form. */
    private String render(@Nullable Object data, IdempotentPlan plan) {
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
