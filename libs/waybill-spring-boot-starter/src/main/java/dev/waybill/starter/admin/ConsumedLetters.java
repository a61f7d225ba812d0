package dev.waybill.starter.admin;

import dev.waybill.inbox.DeadLetters;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The dead letters of this process, where it consumes. */
record ConsumedLetters(Supplier<@Nullable DeadLetters> ifConsumed) {

    /** @throws AdminRefusal where there are none */
    DeadLetters required() {
        DeadLetters letters = ifConsumed.get();
        if (letters == null) {
            throw new AdminRefusal(AdminError.NOT_HERE, "this process consumes nothing, so it has no dead letters");
        }
        return letters;
    }
}
