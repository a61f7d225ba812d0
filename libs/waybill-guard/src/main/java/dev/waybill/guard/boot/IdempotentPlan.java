package dev.waybill.guard.boot;

import dev.waybill.guard.idempotent.IdempotencyKey;
import dev.waybill.guard.idempotent.Idempotent.WhenDown;
import dev.waybill.guard.web.Code;
import dev.waybill.guard.web.RefusedException;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one handler is made idempotent. */
record IdempotentPlan(
        String prefix, KeySource keySource, Times times, WhenDown whenDown, ReturnShape shape, Declared declared) {

    /** Lease of a run, and how long a repeat waits for it. */
    record Times(Duration lease, Duration patience) {}

    /**
     * What else the handler says: the headers it reads, the status it always answers with, the view of its JSON, and what
     * counts in a request.
     */
    record Declared(
            List<String> headers,
            int status,
            @Nullable Class<?> jsonView,
            @Nullable HandlerExpression fingerprint) {}

    /** Where the key comes from. */
    sealed interface KeySource {

        record Header() implements KeySource {}

        record Argument(HandlerExpression expression) implements KeySource {}

        record HeaderThenArgument(HandlerExpression expression) implements KeySource {}
    }

    /** The key of this call, prefix included; refused where there is none. */
    String keyOf(HttpServletRequest request, @Nullable Object[] arguments) {
        String key;
        if (keySource instanceof KeySource.Argument argument) {
            key = IdempotencyKey.fromValue(argument.expression().valueOf(arguments));
        } else {
            key = IdempotencyKey.fromHeader(request);
            if (key == null && keySource instanceof KeySource.HeaderThenArgument both) {
                key = IdempotencyKey.fromValue(both.expression().valueOf(arguments));
            }
        }
        if (key == null) {
            throw new RefusedException(Code.KEY_MISSING);
        }
        return prefix + ":" + key;
    }
}
