package dev.waybill.starter.inbox;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Reads the payloads of listeners. */
@FunctionalInterface
public interface PayloadReader {

    /**
     * Reads one JSON value as this type; null only for JSON's null.
     *
     * @throws dev.waybill.message.MalformedEventException when it is no such thing: the event is a dead letter at once
     */
    @Nullable Object read(String json, Type type);
}
