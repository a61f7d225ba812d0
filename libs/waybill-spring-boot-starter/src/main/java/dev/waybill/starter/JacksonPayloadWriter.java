package dev.waybill.starter;

import dev.waybill.outbox.PayloadWriter;
import dev.waybill.outbox.PublishException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Writes payload objects with the application's own JsonMapper. Text is taken for JSON and left as it is. */
final class JacksonPayloadWriter implements PayloadWriter {

    private final JsonMapper mapper;

    JacksonPayloadWriter(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public String write(Object payload) {
        if (payload instanceof CharSequence text) {
            return text.toString();
        }
        try {
            return mapper.writeValueAsString(payload);
        } catch (JacksonException e) {
            throw new PublishException(
                    PublishException.Reason.MALFORMED,
                    "a " + payload.getClass().getName() + " cannot be written as JSON: " + e.getOriginalMessage(),
                    e);
        }
    }
}
