package dev.waybill.transport;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as the broker hands it over.
 *
 * @param source queue or topic it came from (the original one, also for a retry)
 * @param group who consumes it
 * @param messageId what the sender called it: the event id, where it was one of ours
 * @param headers properties and headers as texts
 * @param body the bytes, not copied: nobody changes them
 * @param attempt which delivery this is, from 1
 */
@SuppressWarnings("ArrayRecordComponent") // identity is never asked for, and copying every body would cost the hot path
public record Delivery(
        String source,
        String group,
        @Nullable String messageId,
        Map<String, String> headers,
        byte[] body,
        int attempt) {}
