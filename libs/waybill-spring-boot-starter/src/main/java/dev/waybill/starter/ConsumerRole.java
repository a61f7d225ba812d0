package dev.waybill.starter;

/** Tells whether this application receives events: one that only does so needs no outbox table. */
public interface ConsumerRole {

    boolean consumes();
}
