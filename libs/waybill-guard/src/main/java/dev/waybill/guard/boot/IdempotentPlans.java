package dev.waybill.guard.boot;

import com.fasterxml.jackson.annotation.JsonView;
import dev.waybill.guard.boot.IdempotentPlan.Declared;
import dev.waybill.guard.boot.IdempotentPlan.KeySource;
import dev.waybill.guard.boot.IdempotentPlan.Times;
import dev.waybill.guard.idempotent.IdempotencyKey;
import dev.waybill.guard.idempotent.Idempotent;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;

/** The plans of all idempotent handlers: made and checked once, at start-up. */
final class IdempotentPlans {

    /** The longest that a repeat may hold on to its thread. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    private final Map<GuardedMethod, IdempotentPlan> plans = new ConcurrentHashMap<>();
    private final Duration lease;

    IdempotentPlans(Duration lease) {
        this.lease = lease;
    }

    /** Makes and checks the plan; a handler that can't be made idempotent is an {@link IllegalStateException} naming it. */
    void check(Class<?> owner, Method method) {
        of(owner, method);
    }

    IdempotentPlan of(Class<?> owner, Method method) {
        return plans.computeIfAbsent(new GuardedMethod(owner, method), guarded -> plan(owner, method));
    }

    /** The prefixes of all plans, in order. */
    Set<String> prefixes() {
        return plans.values().stream().map(IdempotentPlan::prefix).collect(Collectors.toCollection(TreeSet::new));
    }

    private IdempotentPlan plan(Class<?> owner, Method method) {
        Idempotent given = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
        if (given == null) {
            throw new IllegalStateException(method + " has no @Idempotent");
        }
        String prefix = given.prefix().isEmpty() ? HandlerCall.nameOf(owner, method) : given.prefix();
        require(PREFIX.matcher(prefix).matches(), method, "prefix must be 1 to 64 letters, digits and . _ : -");
        require(given.leaseSeconds() >= 0, method, "leaseSeconds must not be negative");
        Duration wait = Duration.ofMillis(given.waitMillis());
        require(
                !wait.isNegative() && wait.compareTo(LONGEST_WAIT) <= 0,
                method,
                "waitMillis must be between 0 and " + LONGEST_WAIT.toMillis());
        requireReadableExchange(owner, method);
        Duration ownLease = given.leaseSeconds() == 0 ? lease : Duration.ofSeconds(given.leaseSeconds());
        return new IdempotentPlan(
                prefix,
                keySource(given, method),
                new Times(ownLease, wait),
                given.whenDown(),
                ReturnShape.of(method, owner),
                declared(given, method));
    }

    private static KeySource keySource(Idempotent given, Method method) {
        if (given.key().isEmpty()) {
            require(!given.headerFirst(), method, "headerFirst needs a key expression to fall back to");
            return new KeySource.Header();
        }
        HandlerExpression expression = HandlerExpression.parse(given.key(), method);
        return given.headerFirst() ? new KeySource.HeaderThenArgument(expression) : new KeySource.Argument(expression);
    }

    /**
     * What a handler reads from the raw request or writes to the raw response would be missing from the fingerprint or the
     * result.
     */
    private static void requireReadableExchange(Class<?> owner, Method method) {
        boolean body = Arrays.stream(method.getParameters()).anyMatch(IdempotentPlans::declaresBody);
        for (Parameter parameter : method.getParameters()) {
            Class<?> type = parameter.getType();
            require(
                    !isOneOf(type, ServletResponse.class, OutputStream.class, Writer.class),
                    method,
                    "a handler that writes the response by itself can't be repeated from the store");
            require(
                    declaresBody(parameter) || !isOneOf(type, InputStream.class, Reader.class),
                    method,
                    "declare the body as @RequestBody, or it is missing from the fingerprint");
            require(
                    body || !isOneOf(type, ServletRequest.class),
                    method,
                    "declare the body as @RequestBody, or take less than the whole request");
        }
        require(
                AnnotatedElementUtils.hasAnnotation(method, ResponseBody.class)
                        || AnnotatedElementUtils.hasAnnotation(owner, ResponseBody.class)
                        || HttpEntity.class.isAssignableFrom(method.getReturnType()),
                method,
                "only handlers that answer with data (@RestController, @ResponseBody, ResponseEntity) can be idempotent");
    }

    private static boolean declaresBody(Parameter parameter) {
        return parameter.isAnnotationPresent(RequestBody.class)
                || parameter.isAnnotationPresent(RequestPart.class)
                || HttpEntity.class.isAssignableFrom(parameter.getType());
    }

    private static boolean isOneOf(Class<?> type, Class<?>... kinds) {
        return Arrays.stream(kinds).anyMatch(kind -> kind.isAssignableFrom(type));
    }

    private static Declared declared(Idempotent given, Method method) {
        List<String> headers = Arrays.stream(method.getParameters())
                .filter(parameter -> parameter.isAnnotationPresent(RequestHeader.class))
                .map(IdempotentPlans::headerName)
                .filter(name -> IdempotencyKey.HEADERS.stream().noneMatch(name::equalsIgnoreCase))
                .filter(name -> !name.equalsIgnoreCase("X-Trace-Id") && !name.equalsIgnoreCase("traceparent"))
                .sorted()
                .toList();
        ResponseStatus status = AnnotatedElementUtils.findMergedAnnotation(method, ResponseStatus.class);
        JsonView view = method.getAnnotation(JsonView.class);
        return new Declared(
                headers,
                status == null ? HttpStatus.OK.value() : status.code().value(),
                view == null ? null : view.value()[0],
                given.fingerprint().isEmpty() ? null : HandlerExpression.parse(given.fingerprint(), method));
    }

    private static String headerName(Parameter parameter) {
        RequestHeader header = AnnotatedElementUtils.findMergedAnnotation(parameter, RequestHeader.class);
        return header == null || header.name().isEmpty() ? parameter.getName() : header.name();
    }

    private static void require(boolean met, Method method, String otherwise) {
        if (!met) {
            throw new IllegalStateException("@Idempotent on " + method + ": " + otherwise);
        }
    }
}
