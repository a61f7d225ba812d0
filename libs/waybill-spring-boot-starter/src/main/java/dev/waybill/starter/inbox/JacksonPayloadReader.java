package dev.waybill.starter.inbox;

import dev.waybill.message.MalformedEventException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Reads with the application's own JsonMapper. */
final class JacksonPayloadReader implements PayloadReader {

    private final JsonMapper mapper;

    JacksonPayloadReader(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public @Nullable Object read(String json, Type type) {
        try {
            return mapper.readValue(json, mapper.constructType(type));
        } catch (JacksonException e) {
            throw new MalformedEventException(
                    "the payload is no " + type.getTypeName() + ": " + e.getOriginalMessage(), e);
        }
    }
}
