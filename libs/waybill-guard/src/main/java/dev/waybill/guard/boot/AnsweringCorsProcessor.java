package dev.waybill.guard.boot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.cors.DefaultCorsProcessor;

/** Spring's rules for other origins, with the refusal in the one shape. */
final class AnsweringCorsProcessor extends DefaultCorsProcessor {

    private final AnswerFactory answers;

    AnsweringCorsProcessor(AnswerFactory answers) {
        this.answers = answers;
    }

    @Override
    protected void rejectRequest(ServerHttpResponse response) throws IOException {
        AnswerFailure failure = AnswerFailure.ofStatus(HttpStatus.FORBIDDEN.value());
        if (!(RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes exchange)) {
            super.rejectRequest(response);
            return;
        }
        response.setStatusCode(HttpStatus.FORBIDDEN);
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        String json = answers.toJson(answers.answer(failure.code(), null, null, exchange.getRequest()));
        response.getBody().write(json.getBytes(StandardCharsets.UTF_8));
        response.flush();
    }
}
