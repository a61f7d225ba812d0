package dev.waybill.guard.boot;

import dev.waybill.guard.web.CallerIdentity;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Decides whether two requests are the same one: by what the handler says counts, or by everything that was sent where it
 * says nothing.
 */
final class RequestFingerprints {

    private static final Logger log = LoggerFactory.getLogger(RequestFingerprints.class);

    private final CallerIdentity callers;
    private final JsonMapper json;

    RequestFingerprints(CallerIdentity callers, JsonMapper json) {
        this.callers = callers;
        this.json = json;
    }

    String of(IdempotentPlan plan, HttpServletRequest request, @Nullable Object[] arguments) {
        String caller = callers.of(request);
        String meaning = meaning(plan, arguments);
        return meaning == null
                ? RequestFingerprint.of(request, caller, plan.declared().headers())
                : RequestFingerprint.ofMeaning(request, caller, meaning);
    }

    /**
     * What counts in this request, or null where its bytes do. An expression fails on a request that breaks the handler's
     * own rules: the handler refuses that one by itself, so it must not be refused here in other words.
     */
    private @Nullable String meaning(IdempotentPlan plan, @Nullable Object[] arguments) {
        HandlerExpression expression = plan.declared().fingerprint();
        if (expression == null) {
            return null;
        }
        try {
            return CanonicalJson.of(json.valueToTree(expression.evaluate(arguments)));
        } catch (RuntimeException e) {
            log.debug(
                    "[Idempotent] compared by its bytes prefix={} error={}",
                    plan.prefix(),
                    e.getClass().getName());
            return null;
        }
    }
}
