package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.Idempotent;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.security.DigestInputStream;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Digests the body of an idempotent request while it is read: the very bytes, because an object built from them may have
 * dropped what makes two requests different.
 */
@RestControllerAdvice
final class BodyDigestAdvice extends RequestBodyAdviceAdapter {

    private static final String ATTRIBUTE = BodyDigestAdvice.class.getName();

    private final long largestBody;

    BodyDigestAdvice(long largestBody) {
        this.largestBody = largestBody;
    }

    @Override
    public boolean supports(
            MethodParameter parameter, Type targetType, Class<? extends HttpMessageConverter<?>> converterType) {
        return parameter.getMethod() != null
                && AnnotatedElementUtils.hasAnnotation(parameter.getMethod(), Idempotent.class);
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type targetType,
            Class<? extends HttpMessageConverter<?>> converterType)
            throws IOException {
        return new DigestedBody(
                message.getHeaders(), new DigestInputStream(message.getBody(), RequestFingerprint.sha256()));
    }

    @Override
    public Object afterBodyRead(
            Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type targetType,
            Class<? extends HttpMessageConverter<?>> converterType) {
        if (message instanceof DigestedBody digested
                && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes exchange) {
            exchange.getRequest().setAttribute(ATTRIBUTE, digested.toEnd(largestBody));
        }
        return body;
    }

    static @Nullable String of(HttpServletRequest request) {
        return (String) request.getAttribute(ATTRIBUTE);
    }

    private static final class DigestedBody implements HttpInputMessage {

        private static final int BUFFER = 8192;

        private final HttpHeaders headers;
        private final DigestInputStream body;

        DigestedBody(HttpHeaders headers, DigestInputStream body) {
            this.headers = headers;
            this.body = body;
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return body;
        }

        /** A parser may stop before the end of the body; the rest is part of the digest too, up to the largest body. */
        String toEnd(long largestBody) {
            try {
                byte[] buffer = new byte[BUFFER];
                long rest = 0;
                for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                    rest += n;
                    if (rest > largestBody) {
                        throw new RefusedException(Code.BAD_INPUT);
                    }
                }
            } catch (IOException e) {
                // The parser closed the stream at its end: everything has been seen.
            }
            return HexFormat.of().formatHex(body.getMessageDigest().digest());
        }
    }
}
