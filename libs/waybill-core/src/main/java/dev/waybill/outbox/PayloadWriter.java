package dev.waybill.outbox;

/** Turns a payload object into JSON text. */
@FunctionalInterface
public interface PayloadWriter {

    /** Takes text as it is; anything else needs a writer of the application's own. */
    PayloadWriter TEXT_ONLY = payload -> {
        if (payload instanceof CharSequence text) {
            return text.toString();
        }
        throw new PublishException(
                PublishException.Reason.MALFORMED,
                "a " + payload.getClass().getName()
                        + " is no JSON text; give Outbox.builder() a payloadWriter, or publish text",
                null);
    };

    String write(Object payload);
}
