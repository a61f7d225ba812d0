package dev.waybill.store;

import java.time.Instant;
import java.util.List;

/** What people have paused of an application, for all of its replicas together and until somebody resumes it. */
public interface PauseStore {

    /**
     * A part that is paused.
     *
     * @param part names it within its application
     * @param decision who paused it, and why
     */
    record PausedPart(String part, OperatorDecision decision, Instant since) {}

    /** What is paused now, by name. One statement, which replicas repeat every few seconds. */
    List<PausedPart> paused(String scope);

    /**
     * Pauses a part and audits it.
     *
     * @return false when it was paused already
     */
    boolean pause(String scope, String part, OperatorDecision decision);

    /**
     * Resumes a part and audits it.
     *
     * @return false when it was not paused
     */
    boolean resume(String scope, String part, OperatorDecision decision);
}
