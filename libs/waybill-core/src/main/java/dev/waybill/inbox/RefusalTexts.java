package dev.waybill.inbox;

/** What an inbox writes into a dead letter that it refuses itself. For services whose texts are agreed with others. */
@FunctionalInterface
public interface RefusalTexts {

    /** In English. */
    RefusalTexts ENGLISH = eventType -> "event type not supported: " + eventType;

    /** For an event of a type that no handler of its queue names. */
    String unsupportedType(String eventType);
}
