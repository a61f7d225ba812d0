package dev.waybill.message;

/**
 * An event made ready for a broker.
 *
 * @param destination where it goes
 * @param event what it says; transports take ids, keys and headers from here
 * @param body the bytes that the broker carries: the event's envelope. Not copied: nobody changes it.
 */
@SuppressWarnings("ArrayRecordComponent") // identity is never asked for, and copying every body would cost the hot path
public record Message(Destination destination, Event event, byte[] body) {}
