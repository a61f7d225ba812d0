package dev.waybill.store;

/** Where an event of an outbox stands, for people who look for it. */
public enum EventState {
    /** Never failed and not sent yet. */
    NEW,
    /** Failed at least once, to be tried again. */
    RETRY,
    /** Confirmed by the broker. */
    SENT,
    /** Given up; waits for a person. */
    DEAD,
    /** Given up for good by a person, where such rows stay. */
    DISCARDED,
    /** In a state of another writer's that no relay touches. */
    OTHER
}
