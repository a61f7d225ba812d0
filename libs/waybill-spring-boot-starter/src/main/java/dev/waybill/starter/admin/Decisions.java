package dev.waybill.starter.admin;

import dev.waybill.store.OperatorDecision;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Who decides, from the login, and why, from the request. */
final class Decisions {

    /** What the audit's column holds. */
    private static final int LONGEST_REASON = 512;

    private Decisions() {}

    /** @throws AdminRefusal without a reason */
    static OperatorDecision of(Principal caller, @Nullable String reason) {
        if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON) {
            throw AdminRefusal.badInput("reason", "is a text of 1 to " + LONGEST_REASON + " characters");
        }
        return new OperatorDecision(caller.getName(), reason.strip());
    }
}
