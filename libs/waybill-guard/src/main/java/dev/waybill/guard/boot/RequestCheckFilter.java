package dev.waybill.guard.boot;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.server.PathContainer;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses what Spring reads too late or not at all: a path or a Content-Type that would make it fail behind the handler. */
final class RequestCheckFilter extends OncePerRequestFilter {

    private static final Logger log = LoggerFactory.getLogger(RequestCheckFilter.class);

    private final AnswerFactory answers;

    RequestCheckFilter(AnswerFactory answers) {
        this.answers = answers;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!isReadablePath(request.getRequestURI())) {
            refuse(request, response, HttpStatus.BAD_REQUEST);
        } else if (mayHaveBody(request) && !isContentType(request.getHeader(HttpHeaders.CONTENT_TYPE))) {
            refuse(request, response, HttpStatus.UNSUPPORTED_MEDIA_TYPE);
        } else {
            chain.doFilter(new Negotiation(request), response);
        }
    }

    /** Tomcat decodes a path without its parameters ({@code ;name=value}), Spring with them. */
    private static boolean isReadablePath(String path) {
        if (path.indexOf(';') < 0) {
            return true;
        }
        try {
            PathContainer.parsePath(path);
            return true;
        } catch (IllegalArgumentException undecodable) {
            return false;
        }
    }

    private static boolean mayHaveBody(HttpServletRequest request) {
        return !request.getMethod().equals("GET") && !request.getMethod().equals("HEAD");
    }

    /**
     * Spring takes a type with a wildcard for one, and fails when it copies the headers. Uploads are for Tomcat to read, which is
     * less strict with their boundaries.
     */
    private static boolean isContentType(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return true;
        }
        try {
            return MediaType.parseMediaType(text).isConcrete();
        } catch (InvalidMediaTypeException unreadable) {
            return text.stripLeading().toLowerCase(Locale.ROOT).startsWith("multipart/");
        }
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, HttpStatus status)
            throws IOException {
        log.debug("[Answer] refused before any handler status={}", status.value());
        AnswerFailure failure = AnswerFailure.ofStatus(status.value());
        response.setStatus(failure.status());
        write(answers, failure, request, response);
    }

    /** Writes an answer past Spring's message converters. */
    static void write(
            AnswerFactory answers, AnswerFailure failure, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        String json = answers.toJson(answers.answer(failure.code(), failure.detail(), failure.data(), request));
        response.getOutputStream().write(json.getBytes(StandardCharsets.UTF_8));
    }
}
