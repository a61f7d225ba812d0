package dev.waybill.message;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that nobody could handle, as the broker kept it.
 *
 * @param key the same each time this letter is collected, unique in its source and group
 * @param source queue or topic where it failed
 * @param group who failed
 * @param messageId what its sender called it
 * @param headers properties and headers as texts
 * @param body the bytes
 * @param error why, where the broker knows
 */
@SuppressWarnings("ArrayRecordComponent") // identity is never asked for
public record DeadLetter(
        String key,
        String source,
        String group,
        @Nullable String messageId,
        Map<String, String> headers,
        byte[] body,
        @Nullable String error) {

    /** The same letter with a reason. */
    public DeadLetter withError(@Nullable String error) {
        return new DeadLetter(key, source, group, messageId, headers, body, error);
    }
}
