package dev.waybill.store;

/**
 * Who decided about a DEAD row or a dead letter, and why; the audit keeps both.
 *
 * @param actor who decided
 * @param reason why, in the actor's own words
 */
public record OperatorDecision(String actor, String reason) {}
