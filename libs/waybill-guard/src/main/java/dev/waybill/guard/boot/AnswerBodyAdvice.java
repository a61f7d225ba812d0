package dev.waybill.guard.boot;

import dev.waybill.guard.web.Answer;
import dev.waybill.guard.web.Code;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Gives every JSON body of the application's own handlers the one shape: an {@link Answer} is completed, anything else is
 * wrapped. Bodies of frameworks (actuator, OpenAPI) and non-JSON bodies (files, images) pass untouched.
 */
@RestControllerAdvice
@Order
final class AnswerBodyAdvice implements ResponseBodyAdvice<Object> {

    private static final List<String> FRAMEWORKS = List.of("org.springframework.", "org.springdoc.");

    private final AnswerFactory answers;

    AnswerBodyAdvice(AnswerFactory answers) {
        this.answers = answers;
    }

    @Override
    public boolean supports(MethodParameter returnType, Class<? extends HttpMessageConverter<?>> converterType) {
        String owner = returnType.getContainingClass().getName();
        return FRAMEWORKS.stream().noneMatch(owner::startsWith)
                && (JacksonJsonHttpMessageConverter.class.isAssignableFrom(converterType)
                        || StringHttpMessageConverter.class.isAssignableFrom(converterType));
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter returnType,
            MediaType contentType,
            Class<? extends HttpMessageConverter<?>> converterType,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (!(request instanceof ServletServerHttpRequest servlet) || body instanceof Resource) {
            return body;
        }
        HttpServletRequest servletRequest = servlet.getServletRequest();
        // A rendered answer is the handler's own. If writing that one fails, the failure is answered on the same
        // request and
        // must not get it.
        Optional<RenderedAnswer> rendered =
                RenderedAnswer.takeFrom(servletRequest).filter(own -> !isFailure(returnType));
        Answer<?> answer;
        if (rendered.isPresent()) {
            answer = answers.complete(rendered.get().answer(), servletRequest);
        } else if (body instanceof Answer<?> given) {
            correctStatus(given, response);
            answer = answers.complete(given, servletRequest);
        } else {
            answer = answers.answer(Code.ofStatus(status(response)), null, body, servletRequest);
        }
        if (StringHttpMessageConverter.class.isAssignableFrom(converterType)) {
            response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
            return answers.toJson(answer);
        }
        return answer;
    }

    private static boolean isFailure(MethodParameter returnType) {
        return returnType.hasMethodAnnotation(ExceptionHandler.class)
                || ErrorController.class.isAssignableFrom(returnType.getContainingClass());
    }

    /** A handler that returns a failing answer and sets no status gets the code's. */
    private void correctStatus(Answer<?> given, ServerHttpResponse response) {
        int wanted = answers.statusOf(given);
        if (wanted >= HttpStatus.BAD_REQUEST.value() && status(response) < HttpStatus.BAD_REQUEST.value()) {
            response.setStatusCode(HttpStatusCode.valueOf(wanted));
        }
    }

    private static int status(ServerHttpResponse response) {
        return response instanceof ServletServerHttpResponse servlet
                ? servlet.getServletResponse().getStatus()
                : HttpStatus.OK.value();
    }
}
