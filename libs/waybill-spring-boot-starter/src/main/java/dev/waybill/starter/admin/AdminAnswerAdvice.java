package dev.waybill.starter.admin;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** Gives answers the shape that waybill-guard gives them where it is there. */
@RestControllerAdvice
final class AdminAnswerAdvice implements ResponseBodyAdvice<Object> {

    @Override
    public boolean supports(MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converterType) {
        Class<?> owner = returnType.getContainingClass();
        return owner == AdminExceptionHandler.class || AnnotatedElementUtils.hasAnnotation(owner, AdminApi.class);
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returnType,
            MediaType contentType,
            Class<? extends HttpMessageConverter<?>> converterType,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (body instanceof Resource || body instanceof AdminAnswer) {
            return body;
        }
        int status = response instanceof ServletServerHttpResponse servlet
                ? servlet.getServletResponse().getStatus()
                : HttpStatus.OK.value();
        String message = body instanceof AdminFailure failure ? failure.message() : "success";
        return new AdminAnswer(code(status), message, body, MDC.get("traceId"));
    }

    /** The families of the guard's catalogue. */
    private static String code(int status) {
        return switch (status) {
            case 401 -> "A0230";
            case 403 -> "A0301";
            case 404 -> "NOT_FOUND";
            case 409 -> "STATE_INVALID";
            case 429 -> "A0500";
            case 503 -> "C0001";
            default -> status >= 500 ? "B0001" : status >= 400 ? "A0400" : "00000";
        };
    }
}
